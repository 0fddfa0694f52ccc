#include "report/glossary.h"

#include <string.h>
#include <strings.h>

#include "config/suggest.h"
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

enum { TERMS = sizeof terms / sizeof terms[0] };

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

static bool show_term(FILE *file, const char *word)
{
    for (unsigned i = 0; i < TERMS; i++) {
        const struct term *term = &terms[i];
        if (strcasecmp(word, term->word) != 0 && !is_among(word, term->also))
            continue;
        (void)fprintf(file, "%s", term->word);
        if (term->also)
            (void)fprintf(file, " (%s)", term->also);
        (void)fprintf(file, ": %s\n", term->meaning);
        if (term->page)
            (void)fprintf(file, "  more: docs/%s\n", term->page);
        return true;
    }
    return false;
}

static bool show_state(FILE *file, const char *word)
{
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++) {
        const struct simsm_state_info *state = &simsm_states[i];
        bool letter = word[0] == state->letter && !word[1];
        if (!letter && strcasecmp(word, state->name) != 0 && strcasecmp(word, state->title) != 0)
            continue;
        (void)fprintf(file,
                      "%s (%s, letter %c), a state of a warp slot: %s\n  helps: %s\n"
                      "  more: docs/model.md\n",
                      state->title, state->name, state->letter, state->meaning, cures[i]);
        return true;
    }
    return false;
}

static bool print_figure(FILE *file, const char *name, const char *unit, const char *kind,
                         const char *meaning)
{
    (void)fprintf(file, "%s [%s], a %s: %s\n  more: docs/metrics.md\n", name, unit, kind, meaning);
    return true;
}

static bool show_figure(FILE *file, const char *word)
{
    struct simsm_metric metrics[METRIC_COUNT];
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (strcasecmp(word, simsm_counters[i].name) == 0)
            return print_figure(file, simsm_counters[i].name, simsm_counters[i].unit, "counter",
                                simsm_counters[i].meaning);
    metrics_describe(metrics);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        if (strcasecmp(word, metrics[i].name) == 0)
            return print_figure(file, metrics[i].name, metrics[i].unit, "metric",
                                metrics[i].meaning);
    return false;
}

bool glossary_show(FILE *file, const char *word)
{
    /* A word may be a term and a state: "barrier". */
    bool term = show_term(file, word), state = show_state(file, word);
    return show_figure(file, word) || state || term;
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
    (void)fprintf(file, "\n## Words\n\n| word | also | meaning | more |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < TERMS; i++) {
        const struct term *term = &terms[i];
        (void)fprintf(file, "| %s | %s%s%s | %s |", term->word, term->also ? "`" : "",
                      term->also ? term->also : "", term->also ? "`" : "", term->meaning);
        if (term->page)
            (void)fprintf(file, " [%s](%s) |\n", term->page, term->page);
        else
            (void)fprintf(file, " |\n");
    }
    (void)fprintf(file,
                  "\n## States of a warp slot\n\n"
                  "| state | letter | name | meaning | what helps |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        (void)fprintf(file, "| %s | `%c` | `%s` | %s | %s |\n", simsm_states[i].title,
                      simsm_states[i].letter, simsm_states[i].name, simsm_states[i].meaning,
                      cures[i]);
}
