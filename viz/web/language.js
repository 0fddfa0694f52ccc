// The language of the page: its own words, and that of reports and lessons. `translations`, which
// site.js writes before this script, has what sim/language says of the page's texts: the page is
// translated before anything of it is painted.
'use strict';

const language = {
  name: 'en',
  words: {}, // translations by English text

  // Returns what the visitor wants: `?lang=` of the address, the choice before, the browser's.
  wanted() {
    const asked = new URLSearchParams(location.search).get('lang');
    return asked === 'zh' || asked === 'en' ? asked : recall('language') ||
      (/^zh/.test(navigator.language) ? 'zh' : 'en');
  },

  choose(name) {
    this.words = translations[name] || {};
    this.name = translations[name] ? name : 'en';
    document.documentElement.lang = this.name;
  },

  begin() {
    this.choose(this.wanted());
    this.translatePage();
    document.getElementById('summary').textContent = tr('Starting the simulator ...');
  },

  // Translates what index.html has: the texts of elements with data-tr, and labels.
  translatePage() {
    for (const element of document.querySelectorAll('[data-tr]')) {
      element.dataset.tr = element.dataset.tr || element.textContent;
      element.textContent = tr(element.dataset.tr);
    }
    for (const element of document.querySelectorAll('[aria-label]')) {
      element.dataset.label = element.dataset.label || element.getAttribute('aria-label');
      element.setAttribute('aria-label', tr(element.dataset.label));
    }
    document.getElementById('language').textContent = this.name === 'zh' ? 'English' : '中文';
    document.getElementById('language').lang = this.name === 'zh' ? 'en' : 'zh';
  },
};

// Returns a text in the chosen language; each %s is replaced by the next of `values`.
function tr(text, ...values) {
  return (language.words[text] || text).replace(/%s/g, () => values.shift());
}

// Marks a text that is translated where it is shown.
const mark = (text) => text;

// What the browser keeps of the visitor's choices; a page from disk may have no storage.
function recall(name) {
  try {
    return localStorage.getItem('simsm-' + name) || '';
  } catch (error) {
    return '';
  }
}

function remember(name, value) {
  try {
    localStorage.setItem('simsm-' + name, value);
  } catch (error) { /* it is forgotten */ }
}
