/* Matches the lines of a kernel in two runs. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"

enum { KEY = 96 };

/* The sorting key of an instruction: its text without numbers of registers and addresses, and how
 * many earlier instructions have the same text. */
struct keyed {
    char text[KEY];
    uint32_t occurrence;
    const struct diff_line *line;
};

/* Copies an instruction's text. "R12" becomes "R", "0x7f0" becomes "0x". */
static void normalise(const char *text, char to[KEY])
{
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < KEY;) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '.');
        const size_t letters = strspn(at, "RUP");
        const size_t digits = letters ? strspn(at + letters, "0123456789") : 0;
        const bool address = begins && at[0] == '0' && at[1] == 'x';
        if (begins && letters <= 2 && digits) {
            for (size_t i = 0; i < letters && used + 1 < KEY; i++)
                to[used++] = at[i];
            at += letters + digits;
        } else if (address) {
            at += 2 + strspn(at + 2, "0123456789abcdefABCDEF");
            to[used++] = '#';
        } else {
            to[used++] = *at++;
        }
    }
    to[used] = '\0';
}

static int by_text(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_key(const struct keyed *a, const struct keyed *b)
{
    const int order = strcmp(a->text, b->text);
    return order ? order : (a->occurrence > b->occurrence) - (a->occurrence < b->occurrence);
}

/* Returns the instructions of a kernel, sorted by their keys. */
static struct keyed *keys_of(const struct diff_kernel *kernel)
{
    struct keyed *key = calloc(kernel->lines + 1, sizeof *key);
    for (size_t i = 0; key && i < kernel->lines; i++) {
        key[i].line = &kernel->line[i];
        normalise(kernel->line[i].text ? kernel->line[i].text : "", key[i].text);
    }
    if (key && kernel->lines)
        qsort(key, kernel->lines, sizeof *key, by_text);
    for (size_t i = 1; key && i < kernel->lines; i++)
        if (strcmp(key[i].text, key[i - 1].text) == 0)
            key[i].occurrence = key[i - 1].occurrence + 1;
    return key;
}

static int by_difference(const void *a, const void *b)
{
    const struct diff_line_pair *x = a, *y = b;
    const double first = fabs(x->b.cycles - x->a.cycles), second = fabs(y->b.cycles - y->a.cycles);
    if (first != second)
        return first < second ? 1 : -1;
    const struct diff_line *one = x->a.text ? &x->a : &x->b, *other = y->a.text ? &y->a : &y->b;
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    return strcmp(one->text, other->text);
}

static void merge(const struct keyed *a, size_t a_count, const struct keyed *b, size_t b_count,
                  struct diff_lines *lines)
{
    size_t i = 0, k = 0;
    while (i < a_count || k < b_count) {
        int order = i == a_count ? 1 : k == b_count ? -1 : by_key(&a[i], &b[k]);
        struct diff_line_pair *pair = &lines->line[lines->lines++];
        if (order <= 0)
            pair->a = *a[i++].line;
        if (order >= 0)
            pair->b = *b[k++].line;
    }
}

bool diff_match_instructions(const struct diff_pair *pair, struct diff_lines *instructions)
{
    struct keyed *a = keys_of(pair->a), *b = keys_of(pair->b);
    *instructions = (struct diff_lines){
        .line = calloc(pair->a->lines + pair->b->lines + 1, sizeof *instructions->line)};
    const bool done = a && b && instructions->line;
    if (done) {
        merge(a, pair->a->lines, b, pair->b->lines, instructions);
        qsort(instructions->line, instructions->lines, sizeof *instructions->line, by_difference);
    }
    free(a);
    free(b);
    return done;
}

/* ---- Lines of the source ---- */

/* The source lines of one side. */
struct source_lines {
    struct diff_line *line; /* [count] */
    bool *taken;
    size_t count;
};

static bool same_place(const struct diff_line *a, const struct diff_line *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Returns the source line of an instruction, adding it if it is new; NULL: it has none. */
static struct diff_line *place_of(struct source_lines *sources, const struct diff_line *line)
{
    if (!line->text || !line->file || !line->line)
        return NULL;
    for (size_t i = 0; i < sources->count; i++)
        if (same_place(&sources->line[i], line))
            return &sources->line[i];
    sources->line[sources->count] =
        (struct diff_line){.text = "", .file = line->file, .line = line->line};
    return &sources->line[sources->count++];
}

static void add(struct source_lines *sources, const struct diff_line *line)
{
    struct diff_line *to = place_of(sources, line);
    if (!to)
        return;
    to->issues += line->issues;
    to->cycles += line->cycles;
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++)
        to->state[s] += line->state[s];
}

/* How many matched instructions two source lines have. */
struct vote {
    size_t a, b, votes;
};

static int by_lines(const void *x, const void *y)
{
    const struct vote *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static int by_votes(const void *x, const void *y)
{
    const struct vote *a = x, *b = y;
    return a->votes != b->votes ? (a->votes < b->votes) - (a->votes > b->votes) : by_lines(x, y);
}

/* Fills vote[]: pairs of source lines, those with most votes first. Returns their number. */
static size_t count_votes(const struct diff_lines *instructions, struct source_lines side[2],
                          struct vote *vote)
{
    size_t all = 0, count = 0;
    for (size_t i = 0; i < instructions->lines; i++) {
        const struct diff_line *a = place_of(&side[0], &instructions->line[i].a);
        const struct diff_line *b = place_of(&side[1], &instructions->line[i].b);
        if (a && b)
            vote[all++] = (struct vote){(size_t)(a - side[0].line), (size_t)(b - side[1].line), 1};
    }
    qsort(vote, all, sizeof *vote, by_lines);
    for (size_t i = 0; i < all; i++) {
        if (count && by_lines(&vote[count - 1], &vote[i]) == 0)
            vote[count - 1].votes++;
        else
            vote[count++] = vote[i];
    }
    qsort(vote, count, sizeof *vote, by_votes);
    return count;
}

static void pair_sources(const struct diff_lines *instructions, struct source_lines side[2],
                         struct vote *vote, struct diff_lines *sources)
{
    const size_t count = count_votes(instructions, side, vote);
    for (size_t i = 0; i < count; i++) {
        if (side[0].taken[vote[i].a] || side[1].taken[vote[i].b])
            continue;
        side[0].taken[vote[i].a] = side[1].taken[vote[i].b] = true;
        sources->line[sources->lines++] =
            (struct diff_line_pair){side[0].line[vote[i].a], side[1].line[vote[i].b]};
    }
    for (size_t i = 0; i < side[0].count; i++)
        if (!side[0].taken[i])
            sources->line[sources->lines++].a = side[0].line[i];
    for (size_t i = 0; i < side[1].count; i++)
        if (!side[1].taken[i])
            sources->line[sources->lines++].b = side[1].line[i];
    qsort(sources->line, sources->lines, sizeof *sources->line, by_difference);
}

bool diff_match_sources(const struct diff_lines *instructions, struct diff_lines *sources)
{
    const size_t room = instructions->lines + 1;
    struct source_lines side[2];
    struct vote *vote = calloc(room, sizeof *vote);
    for (int i = 0; i < 2; i++)
        side[i] = (struct source_lines){.line = calloc(room, sizeof *side[i].line),
                                        .taken = calloc(room, sizeof *side[i].taken)};
    *sources = (struct diff_lines){.line = calloc(2 * room, sizeof *sources->line)};
    const bool done =
        vote && side[0].line && side[0].taken && side[1].line && side[1].taken && sources->line;
    for (size_t i = 0; done && i < instructions->lines; i++) {
        add(&side[0], &instructions->line[i].a);
        add(&side[1], &instructions->line[i].b);
    }
    if (done)
        pair_sources(instructions, side, vote, sources);
    for (int i = 0; i < 2; i++) {
        free(side[i].line);
        free(side[i].taken);
    }
    free(vote);
    return done;
}
