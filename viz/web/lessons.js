// Lessons, as docs/lessons has them (`simsm learn N --json`): a question to answer before the
// kernel is run, then the reason and the experiment, whose commands are buttons.
'use strict';

const lessons = {
  current: null,
  load: () => {}, // called with a scene (commands.js) to show

  all() { return site.lessons[language.name] || site.lessons.en; },

  find(number) { return this.all().find((lesson) => lesson.number === Number(number)); },

  // Returns what the lesson shows first: the run of its answer.
  begin(lesson) {
    const [scene] = lesson.run ? scenesOf(lesson.run) : [];
    const exercise = lesson.exercises.find(({ trace }) => trace);
    return { ...(exercise && this.exerciseScene(exercise)), ...scene };
  },

  exerciseScene({ config, trace, set, params }) {
    const scene = { config, trace: trace.replace(/\.trace$/, ''),
      params: Object.fromEntries(params.map((param) => param.split('='))) };
    for (const assignment of set) assign(scene, assignment);
    return scene;
  },

  // Returns all scenes that a lesson offers: its first run, the runs of its commands, the kernels
  // of its exercises.
  scenes(lesson) {
    const lines = (lesson.why + '\n' + lesson.experiment).split('\n');
    const commands = [lesson.run || '', ...lines.filter((line) => line.startsWith('$ '))];
    const exercises = lesson.exercises.filter(({ trace }) => trace);
    return [...commands.flatMap(scenesOf), ...exercises.map((one) => this.exerciseScene(one))];
  },

  // Returns the GPU on which the lessons run a kernel; undefined if none does.
  gpuOf(trace) {
    const scenes = this.all().flatMap((lesson) => this.scenes(lesson));
    return scenes.find((scene) => scene.trace === trace)?.config;
  },

  // Shows a lesson. `reveal`: called once its question is answered; null: it has been answered.
  show(lesson, reveal) {
    const box = document.getElementById('lesson');
    this.current = lesson || null;
    box.hidden = !lesson;
    document.body.classList.toggle('asking', Boolean(lesson && reveal));
    document.body.classList.toggle('learning', Boolean(lesson));
    box.textContent = '';
    if (!lesson) return;
    box.append(make('h2', lesson.title));
    appendMarkdown(box, lesson.question);
    const code = make('details');
    code.append(make('summary', tr('The code')));
    code.open = Boolean(reveal);
    appendMarkdown(code, lesson.code);
    box.append(code);
    if (reveal) this.ask(box, lesson, reveal);
    else this.tell(box, lesson);
    box.scrollTop = 0;
  },

  ask(box, lesson, reveal) {
    const { question, answers, answer } = lesson.predict;
    box.append(make('h3', tr('Predict first')));
    appendMarkdown(box, question);
    const choices = make('div', '', 'choices');
    const hint = make('p', tr('The run is shown with your answer.'));
    answers.forEach((text, i) => {
      const button = Object.assign(appendInline(make('button'), text), { type: 'button' });
      button.addEventListener('click', () => {
        choices.remove();
        hint.remove();
        document.body.classList.remove('asking');
        const right = i + 1 === answer;
        const verdict = make('p', '', right ? 'right' : 'not-right');
        verdict.tabIndex = -1;
        appendInline(verdict, right ? tr('Yes: %s', text)
          : tr('You predicted "%s". It is: %s', text, answers[answer - 1]));
        box.append(verdict);
        this.tell(box, lesson);
        reveal();
        verdict.focus();
      });
      choices.append(button);
    });
    box.append(choices, hint);
  },

  // Appends what the lesson says once the question is answered.
  tell(box, lesson) {
    box.append(make('h3', tr('Why')));
    appendMarkdown(box, lesson.why, (at, code) => this.addButtons(at, code));
    box.append(make('h3', tr('Experiment')));
    appendMarkdown(box, lesson.experiment, (at, code) => this.addButtons(at, code));
    box.append(make('h3', tr('Exercises')));
    const list = make('ol');
    for (const exercise of lesson.exercises) {
      const item = appendInline(make('li'), joinChinese(exercise.task));
      if (exercise.trace)
        item.append(' ', this.button(tr('Open its kernel'), this.exerciseScene(exercise)));
      list.append(item);
    }
    box.append(list, make('p', tr('The page does not check them: in a terminal, simsm learn %s ' +
      '--exercise K does.', lesson.number)));
    if (lesson.hardware) {
      box.append(make('h3', tr('On real hardware')));
      appendMarkdown(box, lesson.hardware);
    }
  },

  button(title, scene) {
    const button = Object.assign(make('button', title, 'run'), { type: 'button' });
    button.addEventListener('click', () => this.load(scene));
    return button;
  },

  // Adds a button for each run of the commands in a code block.
  addButtons(element, code) {
    const scenes = code.split('\n').filter((line) => line.startsWith('$ ')).flatMap(scenesOf);
    if (!scenes.length) return;
    const row = make('div', '', 'runs');
    for (const scene of scenes) row.append(this.button(scene.title || tr('Show this run'), scene));
    element.append(row);
  },

  get open() { return Boolean(document.querySelector('#lesson .choices')); },
};
