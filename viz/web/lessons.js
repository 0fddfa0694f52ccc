// Lessons: a question to answer before the kernel is run, then the answer beside the result. The
// table is lessons.json; README.md describes its rows.
'use strict';

const lessons = {
  current: null,

  find(id) { return site.lessons.find((lesson) => lesson.id === id); },

  // Shows a lesson's question; `reveal` is called once it is answered.
  show(lesson, reveal) {
    const box = document.getElementById('lesson');
    this.current = lesson || null;
    box.hidden = !lesson;
    document.body.classList.toggle('asking', Boolean(lesson));
    box.textContent = '';
    if (!lesson) return;
    const add = (tag, text, name) => {
      const element = document.createElement(tag);
      element.textContent = text;
      if (name) element.className = name;
      box.append(element);
      return element;
    };
    add('h2', lesson.title);
    add('p', lesson.question);
    const choices = add('div', '', 'choices');
    lesson.choices.forEach((choice, i) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: choice });
      button.addEventListener('click', () => {
        choices.remove();
        hint.remove();
        document.body.classList.remove('asking');
        const right = i === lesson.right;
        add('p', (right ? 'Yes: ' : 'You predicted "' + choice + '". It is: ') +
          lesson.choices[lesson.right] + '. ' + lesson.why).tabIndex = -1;
        box.lastChild.focus();
        add('p', 'Next: ' + lesson.next);
        reveal();
      });
      choices.append(button);
    });
    const hint = add('p', 'Predict first; the run is shown with your answer.');
  },

  get open() { return Boolean(document.querySelector('#lesson .choices')); },
};
