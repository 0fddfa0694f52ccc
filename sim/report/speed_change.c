/*
 * Explains why one run is faster than another.
 *
 * The time from the first block to the end is R / (w m c): R are the cycles of all live warps,
 * which the warp states divide; w are the warps on a busy SM, m the SMs at work, c the clock. So
 * the difference of time has parts: the cycles before the first block, one part for each warp
 * state, and w, m and c. Logarithmic means divide the difference without a rest: a factor that goes
 * from x to y contributes mean(time) ln(y / x) (logarithmic mean Divisia index, first form).
 *
 * A rule explains of a part at most the logarithm by which its figure changed. The rule that
 * explains most is chosen; an earlier rule is preferred to a later one that explains little more,
 * because earlier rules are nearer to the source code. What it explains is taken from the parts
 * before the second rule is chosen.
 */
#include "report/speed_change.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "language/language.h"

enum other_part { PART_LAUNCH = SIMSM_STATE_COUNT, PART_WARPS, PART_SMS, PART_CLOCK, PARTS };

#define S(state) (1u << SIMSM_STATE_##state)
#define P(part)  (1u << PART_##part)

_Static_assert(PARTS <= 32, "a set of parts is a word");

/* Time changes as the figure does, or inversely. */
struct effect {
    enum speed_figure figure;
    double sign;
};

/* The share of a figure in another. */
struct share {
    bool given;
    enum speed_figure part, whole;
};

#define MORE(id)                                                                                   \
    {                                                                                              \
        SPEED_##id, 1                                                                              \
    }
#define LESS(id)                                                                                   \
    {                                                                                              \
        SPEED_##id, -1                                                                             \
    }

#define SHARE(part, whole)                                                                         \
    {                                                                                              \
        true, SPEED_##part, SPEED_##whole                                                          \
    }
#define WHOLE                                                                                      \
    {                                                                                              \
        false, SPEED_INST, SPEED_INST                                                              \
    }

static const struct cause_rule {
    const char *name;
    struct effect effect, through;
    struct share share;
    uint32_t parts;
    const char *phrase;
} rules[] = {
#define CAUSE(id, effect, through, share, parts, phrase)                                           \
    {#id, effect, through, share, parts, phrase},
#define STATE_CAUSE(...)
#include "report/speed_causes.def"
#undef CAUSE
#undef STATE_CAUSE
};

enum rule_id {
#define CAUSE(id, ...) RULE_##id,
#define STATE_CAUSE(...)
#include "report/speed_causes.def"
#undef CAUSE
#undef STATE_CAUSE
    RULES
};

static const char *const state_phrases[SIMSM_STATE_COUNT] = {
#define CAUSE(...)
#define STATE_CAUSE(state, phrase) [SIMSM_STATE_##state] = (phrase),
#include "report/speed_causes.def"
#undef CAUSE
#undef STATE_CAUSE
};

/* A part of the difference: mean x log, of which causes take their share. */
struct part {
    double mean; /* ns */
    double log;
};

struct parts {
    const struct speed_side *a, *b;
    struct part part[PARTS];
    double change;     /* time of B - time of A, ns */
    const char *named; /* the rule that is named already; NULL: none */
};

/* ln(b / a), where 0 counts as a billionth of the other value; 0 if either is not known. */
static double log_ratio(double a, double b)
{
    const double least = 1e-9 * (fabs(a) + fabs(b));
    if (!(least > 0))
        return 0;
    return log(fmax(b, least) / fmax(a, least));
}

static double log_mean(double a, double b)
{
    const double log = log_ratio(a, b);
    return fabs(log) < 1e-9 ? (a + b) / 2 : (b - a) / log;
}

static double live_cycles(const struct speed_side *side)
{
    double sum = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        sum += side->state[s];
    return sum;
}

/* A part that grows from next to nothing, or shrinks to it, counts as this change: the logarithm
 * of zero is arbitrary. */
static const double LARGEST_LOG = 2.8; /* of 16 */

/* Returns the part that contributes `time` and changes by `log`. */
static struct part part_of(double time, double log)
{
    const double limited = fmin(fmax(log, -LARGEST_LOG), LARGEST_LOG);
    return (struct part){limited != 0 ? time / limited : 0, limited};
}

/* Divides the time from the first block to the end among the factors that grow as it shrinks. One
 * that alone would have changed the time in the other direction is no cause: it becomes a divisor
 * of the warp states, which are then cycles for each warp. */
static void divide_factors(struct parts *parts, double mean, double divisor[2])
{
    static const struct {
        enum other_part part;
        enum speed_figure figure;
    } factors[] = {{PART_WARPS, SPEED_WARPS}, {PART_SMS, SPEED_SMS}, {PART_CLOCK, SPEED_CLOCK}};
    for (unsigned i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        const double a = speed_figure_value(factors[i].figure, parts->a);
        const double b = speed_figure_value(factors[i].figure, parts->b);
        const double log = -log_ratio(a, b);
        if (log * parts->change >= 0) {
            parts->part[factors[i].part] = part_of(mean * log, log);
        } else {
            divisor[0] *= a;
            divisor[1] *= b;
        }
    }
}

/* Divides the difference of time into its parts. */
static void divide(struct parts *parts, const struct speed_side *a, const struct speed_side *b)
{
    const double launch[2] = {a->launch_cycles * 1e3 / a->clock_mhz,
                              b->launch_cycles * 1e3 / b->clock_mhz};
    const double time[2] = {speed_side_time(a) - launch[0], speed_side_time(b) - launch[1]};
    const double mean = log_mean(time[0], time[1]);
    double divisor[2] = {1, 1};
    *parts = (struct parts){.a = a, .b = b, .change = speed_side_time(b) - speed_side_time(a)};
    parts->part[PART_LAUNCH] = part_of(launch[1] - launch[0], log_ratio(launch[0], launch[1]));
    divide_factors(parts, mean, divisor);
    const double live[2] = {live_cycles(a) / divisor[0], live_cycles(b) / divisor[1]};
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT && live[0] > 0 && live[1] > 0;
         s++) {
        const double first = a->state[s] / divisor[0], second = b->state[s] / divisor[1];
        parts->part[s] =
            part_of((second - first) * mean / log_mean(live[0], live[1]), log_ratio(first, second));
    }
}

/* Returns the part of `log` that lies between 0 and `limit`. */
static double within(double log, double limit)
{
    if (log * limit <= 0)
        return 0;
    return fabs(log) < fabs(limit) ? log : limit;
}

static double log_of_effect(const struct parts *parts, struct effect effect)
{
    return effect.sign * log_ratio(speed_figure_value(effect.figure, parts->a),
                                   speed_figure_value(effect.figure, parts->b));
}

/* A candidate: rules come first, then a state for each warp state. */
enum { FIRST_CONSEQUENCE = RULE_RESIDENT, CANDIDATES = RULES + SIMSM_STATE_COUNT };

/* Returns by how much (a logarithm) a candidate can explain a part. */
static double explains(const struct parts *parts, unsigned candidate, unsigned part, double log)
{
    if (candidate >= RULES)
        return candidate - RULES == part && state_phrases[part] ? parts->part[part].log : 0;
    return rules[candidate].parts >> part & 1u ? within(log, parts->part[part].log) : 0;
}

static double share_of(const struct parts *parts, const struct share *share)
{
    if (!share->given)
        return 1;
    const double part = log_mean(speed_figure_value(share->part, parts->a),
                                 speed_figure_value(share->part, parts->b));
    const double whole = log_mean(speed_figure_value(share->whole, parts->a),
                                  speed_figure_value(share->whole, parts->b));
    return whole > 0 ? fmin(part / whole, 1) : 0;
}

static double log_of_candidate(const struct parts *parts, unsigned candidate)
{
    if (candidate >= RULES)
        return 0;
    const struct cause_rule *rule = &rules[candidate];
    return share_of(parts, &rule->share) *
           within(log_of_effect(parts, rule->effect), log_of_effect(parts, rule->through));
}

/* Returns the time that a candidate explains, in ns, in the direction of the whole difference. */
static double score(const struct parts *parts, unsigned candidate)
{
    const double log = log_of_candidate(parts, candidate);
    double sum = 0;
    if (candidate < RULES && rules[candidate].name == parts->named)
        return 0;
    for (unsigned p = 0; p < PARTS; p++) {
        const double time = parts->part[p].mean * explains(parts, candidate, p, log);
        sum += time * parts->change > 0 ? time : 0;
    }
    return sum;
}

static void take(struct parts *parts, unsigned candidate)
{
    const double log = log_of_candidate(parts, candidate);
    for (unsigned p = 0; p < PARTS; p++)
        parts->part[p].log -= explains(parts, candidate, p, log);
    parts->named = candidate < RULES ? rules[candidate].name : NULL;
}

static void append(char *text, size_t size, const char *more, size_t length)
{
    const size_t used = strlen(text);
    if (length > size - used - 1)
        length = size - used - 1;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
}

static void write_phrase(const struct parts *parts, const struct cause_rule *rule,
                         char text[SPEED_PHRASE])
{
    text[0] = '\0';
    for (const char *s = translate(rule->phrase); *s;) {
        const size_t plain = strcspn(s, "{");
        append(text, SPEED_PHRASE, s, plain);
        s += plain;
        if (!*s)
            break;
        const struct speed_side *side = s[1] == 'a' ? parts->a : parts->b;
        const enum speed_figure figure = rule->effect.figure;
        const struct quantity value = speed_figure_text(figure, speed_figure_value(figure, side));
        append(text, SPEED_PHRASE, value.text, strlen(value.text));
        s += strlen("{a}");
    }
}

/* Returns the cycles of the run, from the first block to its end, that are a state's by its share
 * of the cycles of warps. */
static double state_time(const struct speed_side *side, unsigned state)
{
    const double cycles = side->cycles - side->launch_cycles;
    return cycles * side->state[state] / live_cycles(side);
}

static void describe(const struct parts *parts, unsigned candidate, struct speed_cause *cause)
{
    cause->share = score(parts, candidate) / parts->change;
    if (candidate < RULES) {
        cause->rule = rules[candidate].name;
        write_phrase(parts, &rules[candidate], cause->phrase);
        return;
    }
    const unsigned state = candidate - RULES;
    cause->rule = simsm_states[state].name;
    (void)snprintf(cause->phrase, sizeof cause->phrase, _("%s went from %s to %s cycles"),
                   translate(state_phrases[state]),
                   quantity_count(state_time(parts->a, state)).text,
                   quantity_count(state_time(parts->b, state)).text);
}

/* The last rules, and states, are last resorts: what they name follows from another cause more
 * often than not. */
static double weight_of(unsigned candidate)
{
    static const double CONSEQUENCE = 0.5;
    return candidate >= FIRST_CONSEQUENCE ? CONSEQUENCE : 1;
}

/* A rule is preferred to later ones that explain less than 1 / PREFERRED of what it explains. A
 * further cause is named if it explains at least FURTHER of the difference. */
static const double PREFERRED = 0.7, FURTHER = 0.25;

/* Returns the candidate to name next; CANDIDATES if none explains more than `least`. */
static unsigned choose(const struct parts *parts, double least)
{
    double scores[CANDIDATES], best = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        const double time = fabs(score(parts, i));
        scores[i] = time > least ? time * weight_of(i) : 0;
        best = fmax(best, scores[i]);
    }
    if (best <= 0)
        return CANDIDATES;
    unsigned first = 0;
    while (scores[first] < PREFERRED * best)
        first++;
    return first;
}

static void write_how_much(struct speed_change *change)
{
    const double ratio = change->ratio, times = ratio < 1 ? 1 / ratio : ratio;
    if (ratio == 1)
        (void)snprintf(change->how_much, sizeof change->how_much, "%s", _("As fast, to the cycle"));
    else if (change->noise)
        (void)snprintf(change->how_much, sizeof change->how_much,
                       ratio < 1 ? _("As fast: %.2g %% less time")
                                 : _("As fast: %.2g %% more time"),
                       100 * fabs(ratio - 1));
    else if (times >= 1.5)
        (void)snprintf(change->how_much, sizeof change->how_much,
                       ratio < 1 ? _("%s times faster") : _("%s times slower"),
                       quantity_ratio(times).text);
    else
        (void)snprintf(change->how_much, sizeof change->how_much,
                       ratio < 1 ? _("%.1f %% less time") : _("%.1f %% more time"),
                       100 * fabs(ratio - 1));
}

void speed_change_find(const struct speed_side *a, const struct speed_side *b, double threshold,
                       struct speed_change *change)
{
    struct parts parts;
    divide(&parts, a, b);
    *change = (struct speed_change){.ratio = speed_side_time(b) / speed_side_time(a)};
    change->noise = !(fabs(change->ratio - 1) >= threshold);
    write_how_much(change);
    const double whole = fabs(parts.change);
    while (!change->noise && change->causes < SPEED_CAUSES) {
        const unsigned next = choose(&parts, change->causes ? FURTHER * whole : 0);
        if (next == CANDIDATES)
            break;
        describe(&parts, next, &change->cause[change->causes++]);
        take(&parts, next);
    }
    (void)snprintf(change->sentence, sizeof change->sentence, "%s%s%s%s%s", change->how_much,
                   change->causes ? _("; ") : "", change->causes ? change->cause[0].phrase : "",
                   change->causes > 1 ? _(", and ") : "",
                   change->causes > 1 ? change->cause[1].phrase : "");
}
