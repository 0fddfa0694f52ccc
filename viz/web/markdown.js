// The lessons' Markdown as elements: paragraphs, code, tables, lists, pictures, and what stands in
// a line.
'use strict';

function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (name) element.className = name;
  return element;
}

const IN_LINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)]+)\)/;

// Returns what the glossary says of a word as a text has it: "sectors", "请求 (request)"; '' if it
// does not know it.
function meaningOf(word) {
  const known = site.glossary[language.name];
  const [, before, inside] = word.toLowerCase().match(/^([^(]*?)\s*(?:\((.*)\))?$/) || ['', word];
  const names = [before, inside, before.replace(/s$/, ''), before.replace(/es$/, '')];
  return known[names.find((name) => name && known[name])] || '';
}

// Returns a word of the glossary, which shows its meaning when it is pressed.
function makeTerm(word) {
  const term = make('span');
  const button = Object.assign(make('button', word, 'term'), { type: 'button' });
  const meaning = make('span', ' [' + meaningOf(word) + ']', 'meaning');
  meaning.hidden = true;
  button.title = meaningOf(word);
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => {
    meaning.hidden = !meaning.hidden;
    button.setAttribute('aria-expanded', String(!meaning.hidden));
  });
  term.append(button, meaning);
  return term;
}

// Appends a line's text to an element. A link to a lesson opens it, one to the glossary explains
// its word; other links are their text.
function appendInline(element, text) {
  for (;;) {
    const found = text.match(IN_LINE);
    element.append(found ? text.slice(0, found.index) : text);
    if (!found) return element;
    const [whole, code, strong, emphasis, label, target] = found;
    const lesson = target && target.match(/^(\d\d)-[\w-]+\.md/);
    if (code) element.append(make('code', code));
    else if (strong) element.append(appendInline(make('b'), strong));
    else if (emphasis) element.append(appendInline(make('em'), emphasis));
    else if (/glossary/.test(target) && meaningOf(label.replace(/\*/g, '')))
      element.append(makeTerm(label.replace(/\*/g, '')));
    else if (!lesson) appendInline(element, label);
    else element.append(Object.assign(appendInline(make('a'), label),
      { href: '#', onclick: (event) => {
        event.preventDefault();
        openLesson(Number(lesson[1]));
      } }));
    text = text.slice(found.index + whole.length);
  }
}

function makeTable(lines) {
  const table = make('table');
  const cells = (line) => line.replace(/^\||\|\s*$/g, '').split('|').map((cell) => cell.trim());
  lines.filter((_, i) => i !== 1).forEach((line, i) => {
    const row = table.insertRow();
    for (const cell of cells(line)) row.append(appendInline(make(i ? 'td' : 'th'), cell));
  });
  return table;
}

function makeList(text) {
  const list = make(/^\d/.test(text) ? 'ol' : 'ul');
  for (const item of text.split(/\n(?=(?:\d+\.|-) )/))
    list.append(appendInline(make('li'), item.replace(/^(?:\d+\.|-) +/, '')));
  return list;
}

// Joins lines at whose end Chinese goes on: there is no blank.
function joinChinese(text) {
  return text.replace(/([\u3000-\u303f\uff00-\uffef])\n */g, '$1')
    .replace(/([\u4e00-\u9fff])\n *(?=[\u4e00-\u9fff\uff08])/g, '$1');
}

// Returns the element of a block without an empty line in it.
function makeBlock(text) {
  const picture = text.match(/^!\[([^\]]*)\]\(.*?([\w.-]+)\)/);
  if (picture)
    return Object.assign(make('img'), { alt: picture[1], src: site.pictures[picture[2]] || '' });
  const heading = text.match(/^#+ +(.*)/);
  if (heading) return appendInline(make('h4'), heading[1]);
  if (text.startsWith('|')) return makeTable(text.split('\n'));
  if (/^(?:\d+\.|-) /.test(text)) return makeList(text);
  return appendInline(make('p'), text);
}

// Splits a text into blocks: { code } or { text }.
function splitBlocks(markdown) {
  const blocks = [];
  const fence = /^```\w*\n([\s\S]*?)^```$/.source, indent = /^((?: {4}.*(?:\n+|$))+)/.source;
  const paragraph = /^((?!```)\S[\s\S]*?)(?=\n\n|\n*$(?![\s\S])|\n```)/.source;
  const pattern = new RegExp([fence, indent, paragraph].join('|'), 'gm');
  for (const [, fenced, indented, text] of (markdown + '\n').matchAll(pattern))
    blocks.push(text ? { text: joinChinese(text) }
      : { code: fenced || indented.replace(/^ {4}/gm, '') });
  return blocks;
}

// Appends the text to an element. `afterCode(element, code)` may add something below a code block.
function appendMarkdown(element, markdown, afterCode) {
  for (const { code, text } of splitBlocks(markdown.replace(/<!--[\s\S]*?-->\n?/g, ''))) {
    element.append(code ? make('pre', code.trimEnd()) : makeBlock(text));
    if (code && afterCode) afterCode(element, code);
  }
}
