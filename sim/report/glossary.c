#include "report/glossary.h"

#include <string.h>
#include <strings.h>

#include "config/suggest.h"
#include "language/language.h"
#include "report/metrics.h"

struct term {
    const char *word, *also, *meaning, *page;
};

static const struct term terms[] = {
#define TERM(...) {__VA_ARGS__},
#define CURE(...)
#include "report/glossary.def"
#undef TERM
#undef CURE
};

enum { TERMS = sizeof terms / sizeof terms[0], PAGE_PATH = 64 };

static const char *const cures[] = {
#define TERM(...)
#define CURE(state, text) [SIMSM_STATE_##state] = (text),
#include "report/glossary.def"
#undef TERM
#undef CURE
};

_Static_assert(sizeof cures / sizeof cures[0] == SIMSM_STATE_COUNT,
               "each state of warp_states.def has a row CURE");

/* Returns whether `word` is one of the names in a list divided by ", ". */
static bool is_among(const char *word, const char *list)
{
    for (; list && *list; list += strspn(list, ", ")) {
        size_t length = strcspn(list, ",");
        if (strlen(word) == length && strncasecmp(word, list, length) == 0)
            return true;
        list += length;
    }
    return false;
}

/* Returns whether `word` is the first word of a translated meaning: "线程束" of "线程束。...". */
static bool is_translation(const char *word, const char *meaning)
{
    static const char stop[] = "。";
    const char *translated = translate(meaning);
    const size_t length = strlen(word);
    return strncmp(translated, word, length) == 0 &&
           strncmp(translated + length, stop, sizeof stop - 1) == 0;
}

/* Writes the path of a page below docs/, in the chosen language if lessons have it. */
static void page_path(const char *page, char path[PAGE_PATH])
{
    static const char lessons[] = "lessons/";
    const size_t length = sizeof lessons - 1;
    if (strcmp(language_name(), "en") != 0 && strncmp(page, lessons, length) == 0)
        (void)snprintf(path, PAGE_PATH, "%s%s/%s", lessons, language_name(), page + length);
    else
        (void)snprintf(path, PAGE_PATH, "%s", page);
}

static bool show_term(FILE *file, const char *word)
{
    char path[PAGE_PATH];
    for (unsigned i = 0; i < TERMS; i++) {
        const struct term *term = &terms[i];
        if (strcasecmp(word, term->word) != 0 && !is_among(word, term->also) &&
            !is_translation(word, term->meaning))
            continue;
        (void)fprintf(file, "%s", term->word);
        if (term->also)
            (void)fprintf(file, " (%s)", term->also);
        (void)fprintf(file, ": %s\n", translate(term->meaning));
        if (term->page) {
            page_path(term->page, path);
            (void)fprintf(file, _("  more: docs/%s\n"), path);
        }
        return true;
    }
    return false;
}

static bool show_state(FILE *file, const char *word)
{
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++) {
        const struct simsm_state_info *state = &simsm_states[i];
        bool letter = word[0] == state->letter && !word[1];
        if (!letter && strcasecmp(word, state->name) != 0 && strcasecmp(word, state->title) != 0 &&
            strcmp(word, translate(state->title)) != 0)
            continue;
        (void)fprintf(file,
                      _("%s (%s, letter %c), a state of a warp slot: %s\n  helps: %s\n"
                        "  more: docs/model.md\n"),
                      translate(state->title), state->name, state->letter,
                      translate(state->meaning), translate(cures[i]));
        return true;
    }
    return false;
}

static bool show_counter(FILE *file, const char *word)
{
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++) {
        const struct simsm_counter_info *counter = &simsm_counters[i];
        if (strcasecmp(word, counter->name) != 0)
            continue;
        (void)fprintf(file, _("%s [%s], a counter: %s\n  more: docs/metrics.md\n"), counter->name,
                      counter->unit, translate(counter->meaning));
        return true;
    }
    return false;
}

static bool show_metric(FILE *file, const char *word)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        const struct simsm_metric *metric = &metrics[i];
        if (strcasecmp(word, metric->name) != 0)
            continue;
        (void)fprintf(file, _("%s [%s], a metric: "), metric->name, metric->unit);
        if (i >= METRIC_STALL && i < METRIC_PIPE_BUSY)
            (void)fprintf(file, _("warp cycles in this state per issued instruction: %s"),
                          translate(simsm_states[i - METRIC_STALL + SIMSM_STATE_ISSUED].meaning));
        else
            (void)fprintf(file, "%s", translate(metric->meaning));
        (void)fprintf(file, _("\n  more: docs/metrics.md\n"));
        return true;
    }
    return false;
}

static bool show_word(FILE *file, const char *word)
{
    /* A word may be a term and a state: "barrier". */
    bool term = show_term(file, word), state = show_state(file, word);
    return show_counter(file, word) || show_metric(file, word) || state || term;
}

bool glossary_show(FILE *file, const char *word)
{
    const char *given = language_name();
    if (show_word(file, word))
        return true;
    for (unsigned i = 0; language_translated(i); i++)
        if (language_choose(language_translated(i)) && show_word(file, word))
            return true;
    (void)language_choose(given);
    return false;
}

const char *glossary_nearest(const char *word)
{
    const char *names[TERMS + SIMSM_STATE_COUNT + SIMSM_COUNTER_COUNT + METRIC_COUNT];
    struct simsm_metric metrics[METRIC_COUNT];
    size_t count = 0;
    metrics_describe(metrics);
    for (unsigned i = 0; i < TERMS; i++)
        names[count++] = terms[i].word;
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        names[count++] = simsm_states[i].name;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        names[count++] = simsm_counters[i].name;
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        names[count++] = metrics[i].name;
    return suggest_nearest(word, names, count);
}

void glossary_markdown(FILE *file)
{
    char path[PAGE_PATH];
    (void)fprintf(file, "%s|---|---|---|---|\n",
                  _("\n## Words\n\n| word | also | meaning | more |\n"));
    for (unsigned i = 0; i < TERMS; i++) {
        const struct term *term = &terms[i];
        (void)fprintf(file, "| %s | %s%s%s | %s |", term->word, term->also ? "`" : "",
                      term->also ? term->also : "", term->also ? "`" : "",
                      translate(term->meaning));
        if (term->page) {
            page_path(term->page, path);
            (void)fprintf(file, " [%s](%s) |\n", path, path);
        } else {
            (void)fprintf(file, " |\n");
        }
    }
    (void)fprintf(file, "%s|---|---|---|---|---|\n",
                  _("\n## States of a warp slot\n\n"
                    "| state | letter | name | meaning | what helps |\n"));
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        (void)fprintf(file, "| %s | `%c` | `%s` | %s | %s |\n", translate(simsm_states[i].title),
                      simsm_states[i].letter, simsm_states[i].name,
                      translate(simsm_states[i].meaning), translate(cures[i]));
}
