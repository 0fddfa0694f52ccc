/* `simsm learn`: goes through the lessons in a terminal, checks exercises, keeps the score. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/lesson.h"
#include "cli/lesson_exercise.h"
#include "cli/lesson_json.h"
#include "cli/lesson_score.h"
#include "cli/lesson_show.h"
#include "cli/signals.h"
#include "language/language.h"

enum { KEY_EXERCISE = 256, KEY_CHECK, KEY_ANSWER, KEY_JSON };
enum { TITLE_COLUMNS = 56, PREDICTION_COLUMNS = 10 };

struct learn_request {
    const char *lesson, *exercise, *check, *answer;
    bool json;
};

static const struct argp_option options[] = {
    {"exercise", KEY_EXERCISE, "K", 0,
     "write the trace of exercise K into the current folder, and say what to do", 0},
    {"check", KEY_CHECK, "FILE", 0,
     "simulate the edited trace and say whether it solves the exercise", 0},
    {"answer", KEY_ANSWER, "VALUE", 0,
     "the answer to the question of the lesson, or with --exercise K the number that it asks for",
     0},
    {"json", KEY_JSON, NULL, 0,
     "print the lesson as JSON, or all lessons as a list; texts in Markdown", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct learn_request *request = state->input;
    switch (key) {
    case KEY_EXERCISE:
        request->exercise = text;
        return 0;
    case KEY_CHECK:
        request->check = text;
        return 0;
    case KEY_ANSWER:
        request->answer = text;
        return 0;
    case KEY_JSON:
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->lesson)
            argp_error(state, "expected one lesson, but found '%s' as well", text);
        request->lesson = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->lesson && (request->exercise || request->check || request->answer))
            argp_error(state, "name the lesson: `simsm learn N ...`");
        if (request->json && (request->exercise || request->check || request->answer))
            argp_error(state, "--json stands alone, or with the number of a lesson");
        if (request->check && (request->exercise || request->answer))
            argp_error(state, "--check FILE stands alone: the file says which exercise it is");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command_parser learn_parser = {
    .takes = OF_LANGUAGE,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "[N]",
             .doc =
                 "Lists the lessons with the score; or goes through lesson N: asks for a "
                 "prediction, runs the experiment, explains, and offers exercises.\vThe score is "
                 "kept in $XDG_STATE_HOME/simsm/learn, or ~/.local/state/simsm/learn. If the "
                 "standard input is no terminal, the lesson is printed and nothing is asked. "
                 "docs/lessons has the same lessons with pictures."},
};

/* Converts a whole number from 1 to `most`. */
static enum simsm_status read_number(const char *what, const char *text, uint32_t most,
                                     uint32_t *number, struct simsm_error *error)
{
    char *end;
    unsigned long value = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (!value || *end || value > most)
        return err_set(error, SIMSM_BAD_INPUT, "%s '%.60s': expected a number from 1 to %u", what,
                       text, most);
    *number = (uint32_t)value;
    return SIMSM_OK;
}

static enum simsm_status no_room(struct simsm_error *error)
{
    return err_set(error, SIMSM_BAD_INPUT, "the score has more than %d lessons; remove its file",
                   SCORE_LESSONS);
}

/* Keeps the first prediction of a lesson. */
static enum simsm_status keep_prediction(struct score *score, const struct lesson *lesson,
                                         bool right, struct simsm_error *error)
{
    struct score_lesson *entry = score_of(score, lesson->name);
    if (!entry)
        return no_room(error);
    if (entry->prediction != PREDICTION_NONE)
        return SIMSM_OK;
    entry->prediction = right ? PREDICTION_RIGHT : PREDICTION_WRONG;
    return score_write(score, error);
}

static enum simsm_status keep_solved(struct score *score, const struct lesson *lesson,
                                     uint32_t exercise, struct simsm_error *error)
{
    struct score_lesson *entry = score_of(score, lesson->name);
    if (!entry)
        return no_room(error);
    entry->solved |= 1u << (exercise - 1);
    return score_write(score, error);
}

static uint32_t points(const struct score_lesson *entry)
{
    uint32_t sum = entry->prediction == PREDICTION_RIGHT;
    for (uint32_t bits = entry->solved; bits; bits &= bits - 1)
        sum++;
    return sum;
}

/* Returns the columns of a terminal that a text in UTF-8 takes: Chinese characters, which have
 * three bytes or more, take two. */
static int columns_of(const char *text, size_t size)
{
    int columns = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        columns += byte < 0x80 || (byte >= 0xc0 && byte < 0xe0) ? 1 : byte >= 0xe0 ? 2 : 0;
    }
    return columns;
}

/* Prints a text and two blanks, so that it takes `columns` in a terminal. */
static void print_cell(const char *text, int columns)
{
    (void)printf("%s%*s  ", text, columns - columns_of(text, strlen(text)), "");
}

/* Prints the lessons: title, points of the prediction and the exercises. */
static enum simsm_status list_lessons(struct score *score, struct simsm_error *error)
{
    static const char *const predictions[] = {"-", N_("wrong"), N_("right")};
    uint32_t sum = 0, most = 0;
    char root[LESSON_PATH];
    enum simsm_status status = lesson_root(root, error);
    if (status != SIMSM_OK)
        return status;
    print_cell(_("lesson"), TITLE_COLUMNS);
    print_cell(_("prediction"), PREDICTION_COLUMNS);
    (void)printf("%s\n", _("exercises"));
    for (uint32_t number = 1; number <= lesson_count(); number++) {
        struct lesson lesson;
        status = lesson_read(&lesson, number, error);
        struct score_lesson *entry = status == SIMSM_OK ? score_of(score, lesson.name) : NULL;
        if (entry) {
            uint32_t all = points(entry), right = entry->prediction == PREDICTION_RIGHT;
            print_cell(lesson.title, TITLE_COLUMNS);
            print_cell(translate(predictions[entry->prediction]), PREDICTION_COLUMNS);
            (void)printf(_("%u of %u\n"), all - right, lesson.exercises);
            sum += all;
            most += 1 + lesson.exercises;
        } else if (status == SIMSM_OK) {
            status = no_room(error);
        }
        lesson_free(&lesson);
        if (status != SIMSM_OK)
            return status;
    }
    (void)printf(_("\n%u of %u points. `simsm learn N` begins lesson N.\n"), sum, most);
    return SIMSM_OK;
}

/* Counts the entries of the numbered list in a section. */
static uint32_t count_entries(struct lesson_section section)
{
    uint32_t count = 0;
    while (lesson_entry(section, count + 1).size)
        count++;
    return count;
}

static void say_answer(const struct lesson *lesson, bool right)
{
    struct lesson_section entry =
        lesson_entry(lesson_section(lesson, LESSON_PREDICT), lesson->answer);
    (void)printf(right ? _("Right: %u. %.*s\n") : _("No. The answer is %u. %.*s\n"), lesson->answer,
                 (int)entry.size, entry.text);
}

/* Checks a prediction, which is the text of a number, and keeps it. */
static enum simsm_status predict(struct score *score, const struct lesson *lesson, const char *text,
                                 struct simsm_error *error)
{
    uint32_t number = 0, most = count_entries(lesson_section(lesson, LESSON_PREDICT));
    enum simsm_status status = read_number("answer", text, most, &number, error);
    if (status != SIMSM_OK)
        return status;
    say_answer(lesson, number == lesson->answer);
    return keep_prediction(score, lesson, number == lesson->answer, error);
}

static enum simsm_status answer_exercise(struct score *score, const struct lesson *lesson,
                                         uint32_t exercise, const char *text, bool *solved,
                                         struct simsm_error *error)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end)
        return err_set(error, SIMSM_BAD_INPUT, "answer '%.60s': expected a number", text);
    enum simsm_status status =
        exercise_answer(&lesson->exercise[exercise - 1], number, solved, error);
    if (status != SIMSM_OK)
        return status;
    (void)printf("%s",
                 *solved ? _("Solved.\n") : _("Not this number. Simulate, or calculate again.\n"));
    return *solved ? keep_solved(score, lesson, exercise, error) : SIMSM_OK;
}

/* Reads a line from the terminal into `line`, without its end. Returns false at the end of input.
 */
static bool ask(const char *question, char line[128])
{
    (void)printf("%s", question);
    (void)fflush(stdout);
    if (!fgets(line, 128, stdin))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Asks until the answer can be read; an empty line goes on without an answer. */
static enum simsm_status ask_prediction(struct score *score, const struct lesson *lesson,
                                        struct simsm_error *error)
{
    char line[128];
    while (ask(_("\nYour answer (Enter: none): "), line) && line[0]) {
        enum simsm_status status = predict(score, lesson, line, error);
        if (status != SIMSM_BAD_INPUT)
            return status;
        char text[1200];
        (void)printf("%s\n", simsm_error_text(error, text, sizeof text));
    }
    return SIMSM_OK;
}

/* Prints a part of the lesson below its heading, which is underlined. */
static void show_part(const struct lesson *lesson, enum lesson_part part,
                      const struct lesson_scratch *scratch)
{
    struct lesson_section heading = lesson_heading(lesson, part);
    (void)printf("\n%.*s\n", (int)heading.size, heading.text);
    for (int columns = columns_of(heading.text, heading.size); columns > 0; columns--)
        (void)fputc('-', stdout);
    (void)printf("\n\n");
    lesson_show(lesson_section(lesson, part), scratch);
}

/* Prints what to do for an exercise. With a file to edit, writes it if it does not exist. */
static enum simsm_status begin_exercise(const struct lesson *lesson, uint32_t number,
                                        struct simsm_error *error)
{
    const struct lesson_exercise *exercise = &lesson->exercise[number - 1];
    (void)printf("%u. ", number);
    lesson_show(lesson_entry(lesson_section(lesson, LESSON_EXERCISE_LIST), number), NULL);
    if (!exercise->check.count) {
        (void)printf(_("   Answer: simsm learn %u --exercise %u --answer VALUE\n"), lesson->number,
                     number);
        return SIMSM_OK;
    }
    char name[LESSON_ENTRY];
    bool existed = false;
    enum simsm_status status = exercise_copy(lesson, number, name, &existed, error);
    if (status == SIMSM_OK)
        (void)printf(existed ? _("   You have %s; edit it, then: simsm learn %u --check %s\n")
                             : _("   Written: %s; edit it, then: simsm learn %u --check %s\n"),
                     name, lesson->number, name);
    return status;
}

/* Prints one lesson as JSON; a list of all if `only` is 0. */
static enum simsm_status print_json(uint32_t only, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    json_t *list = json_array();
    for (uint32_t number = only ? only : 1;
         status == SIMSM_OK && number <= (only ? only : lesson_count()); number++) {
        struct lesson lesson;
        status = lesson_read(&lesson, number, error);
        if (status == SIMSM_OK && json_array_append_new(list, lesson_json(&lesson)) != 0)
            status = err_no_memory(error);
        lesson_free(&lesson);
    }
    if (status == SIMSM_OK) {
        (void)json_dumpf(only ? json_array_get(list, 0) : list, stdout, JSON_INDENT(1));
        (void)printf("\n");
    }
    json_decref(list);
    return status;
}

static enum simsm_status show_lesson(struct score *score, const struct lesson *lesson,
                                     struct simsm_error *error)
{
    const bool asks = isatty(STDIN_FILENO);
    struct lesson_scratch scratch;
    (void)printf("%s\n\n", lesson->title);
    lesson_show(lesson_section(lesson, LESSON_QUESTION), NULL);
    show_part(lesson, LESSON_CODE, NULL);
    show_part(lesson, LESSON_PREDICT, NULL);
    enum simsm_status status = asks ? ask_prediction(score, lesson, error) : SIMSM_OK;
    if (status != SIMSM_OK)
        return status;
    signals_listen();                        /* so that the folder of the experiment is removed */
    (void)setenv("LC_ALL", "C.UTF-8", true); /* experiments as the pages quote them: in English */
    status = lesson_scratch_open(&scratch, error);
    if (status != SIMSM_OK)
        return status;
    show_part(lesson, LESSON_EXPERIMENT, &scratch);
    show_part(lesson, LESSON_WHY, &scratch);
    lesson_scratch_close(&scratch);
    if (signals_first())
        return SIMSM_INTERRUPTED;
    show_part(lesson, LESSON_HARDWARE, NULL);
    show_part(lesson, LESSON_EXERCISE_LIST, NULL);
    (void)printf(_("\n`simsm learn %u --exercise K` begins an exercise.\n"), lesson->number);
    return SIMSM_OK;
}

/* Does one thing with one lesson. Sets *solved to false if an exercise is not solved. */
static enum simsm_status do_lesson(const struct learn_request *request, struct score *score,
                                   const struct lesson *lesson, bool *solved,
                                   struct simsm_error *error)
{
    uint32_t exercise = 0;
    enum simsm_status status = SIMSM_OK;
    if (request->check) {
        status = exercise_of_file(lesson, request->check, &exercise, error);
        if (status == SIMSM_OK)
            status = exercise_check(&lesson->exercise[exercise - 1], request->check, solved, error);
        if (status == SIMSM_OK)
            (void)printf("%s", *solved ? _("Solved.\n") : _("Not solved yet.\n"));
        return status == SIMSM_OK && *solved ? keep_solved(score, lesson, exercise, error) : status;
    }
    if (!request->exercise)
        return request->answer ? predict(score, lesson, request->answer, error)
                               : show_lesson(score, lesson, error);
    status = read_number("--exercise", request->exercise, lesson->exercises, &exercise, error);
    if (status != SIMSM_OK || !request->answer)
        return status == SIMSM_OK ? begin_exercise(lesson, exercise, error) : status;
    if (lesson->exercise[exercise - 1].check.count)
        return err_set(error, SIMSM_BAD_INPUT,
                       "exercise %u asks for an edited trace: simsm learn %u --check FILE",
                       exercise, lesson->number);
    return answer_exercise(score, lesson, exercise, request->answer, solved, error);
}

/* Lists the lessons if `number` is 0, else does what is asked for with lesson `number`. */
static enum simsm_status learn(const struct learn_request *request, uint32_t number, bool *solved,
                               struct simsm_error *error)
{
    struct score *score = calloc(1, sizeof *score);
    struct lesson lesson = {0};
    enum simsm_status status = score ? score_read(score, error) : err_no_memory(error);
    if (status == SIMSM_OK && !number)
        status = list_lessons(score, error);
    if (status == SIMSM_OK && number)
        status = lesson_read(&lesson, number, error);
    if (status == SIMSM_OK && number)
        status = do_lesson(request, score, &lesson, solved, error);
    lesson_free(&lesson);
    free(score);
    return status;
}

int cmd_learn(int argc, char **argv)
{
    struct learn_request request = {0};
    struct simsm_error error;
    bool solved = true;
    uint32_t number = 0;
    enum simsm_status status = SIMSM_OK;
    command_parser_run(&learn_parser, argc, argv, 0, &request);
    if (request.lesson) {
        uint32_t count = lesson_count();
        status = read_number("lesson", request.lesson, count ? count : 1, &number, &error);
    }
    if (status == SIMSM_OK)
        status =
            request.json ? print_json(number, &error) : learn(&request, number, &solved, &error);
    if (status == SIMSM_INTERRUPTED)
        return cli_finish(cli_fail_stopped(NULL));
    if (status != SIMSM_OK)
        return cli_finish(cli_fail(&error));
    return cli_finish(solved ? SIMSM_OK : SIMSM_FAILED);
}
