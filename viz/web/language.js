// The language of the page's own words.
'use strict';

const language = { words: {} };

// Returns a text in the chosen language; each %s is replaced by the next of `values`.
function tr(text, ...values) {
  return (language.words[text] || text).replace(/%s/g, () => values.shift());
}
