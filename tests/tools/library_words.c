/*
 * The instruction words of large libraries, counted, and compared with nvdisasm's text
 * (tests/tools/compare_library drives both).
 *
 * library_words collect FILE FOLDER [PER_CLASS]
 *     writes FOLDER/SM.words: each word of the code of the SM once, whatever its control bits, with
 *     its count. Words of a class differ in nothing but the numbers of registers, constants,
 *     immediates and targets; PER_CLASS keeps so many words of each, for a quick look.
 * library_words raw WORDS
 *     writes the words as they stood in the library, without counts, for nvdisasm -b.
 * library_words compare SM WORDS < LISTING
 *     compares nvdisasm's listings of these words, BATCH_WORDS in each, with ours, and sums up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/encoding.h"
#include "sass/image/sass_module.h"

enum { INSTRUCTION_BYTES = 16, SMS = 5, CLASSES = 1 << 21, BATCH_WORDS = 1 << 17 };

static const uint32_t sms[SMS] = {75, 80, 86, 89, 90};

/* Stall, yield, barriers: bits 121:105. */
static const uint64_t control_bits = ((uint64_t)0x1ffff) << (105 - 64);

struct entry {
    uint64_t word[2]; /* as it stood first */
    uint64_t count;   /* 0: the slot is free */
};

/* Open addressing, by the word without its control bits. */
struct words {
    struct entry *slot;
    size_t slots, used; /* slots: a power of two */
};

static void fail(const char *what, const char *detail)
{
    (void)fprintf(stderr, "library_words: %s%s\n", what, detail);
    exit(2);
}

static void *take(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        fail("out of memory", "");
    return block;
}

static uint64_t hash(uint64_t low, uint64_t high)
{
    uint64_t value = (low ^ (high << 23 | high >> 41)) * UINT64_C(0x9e3779b97f4a7c15);
    return (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

static struct entry *find(const struct words *words, const uint64_t word[2])
{
    uint64_t high = word[1] & ~control_bits;
    for (size_t i = hash(word[0], high);; i++) {
        struct entry *entry = &words->slot[i & (words->slots - 1)];
        if (!entry->count ||
            (entry->word[0] == word[0] && (entry->word[1] & ~control_bits) == high))
            return entry;
    }
}

static void grow(struct words *words)
{
    struct words larger = {.slots = words->slots ? 2 * words->slots : 1 << 16};
    larger.slot = take(larger.slots, sizeof *larger.slot);
    for (size_t i = 0; i < words->slots; i++)
        if (words->slot[i].count)
            *find(&larger, words->slot[i].word) = words->slot[i];
    larger.used = words->used;
    free(words->slot);
    *words = larger;
}

static void count_word(struct words *words, const uint64_t word[2])
{
    if (10 * words->used >= 7 * words->slots)
        grow(words);
    struct entry *entry = find(words, word);
    if (!entry->count) {
        entry->word[0] = word[0];
        entry->word[1] = word[1];
        words->used++;
    }
    entry->count++;
}

static void count_module(struct words *words, const struct sass_module *module)
{
    for (uint32_t at = 0; at + INSTRUCTION_BYTES <= module->code_bytes; at += INSTRUCTION_BYTES) {
        uint64_t word[2];
        memcpy(word, module->code + at, sizeof word);
        if (word[0] | word[1]) /* between sections there are zeros */
            count_word(words, word);
    }
}

/* ---- Classes ---- */

static void clear_bits(uint64_t word[2], struct bit_range range)
{
    for (unsigned bit = range.low; bit < (unsigned)range.low + range.count; bit++)
        word[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

static bool is_special(const struct operand_spec *spec, uint64_t value)
{
    if (spec->kind == SASS_IMMEDIATE || spec->kind == SASS_CONSTANT)
        return value == 0 || (value & (value - 1)) == 0; /* texts of IMAD depend on it */
    return value == ((uint64_t)1 << spec->range.count) - 1;
}

/* Returns whether an operand is one of many numbers that are written in the same way. */
static bool is_plain(const struct operand_spec *spec, uint64_t value)
{
    bool is_float =
        spec->kind == SASS_IMMEDIATE && spec->style != STYLE_HEX && spec->style != STYLE_SIGNED;
    return !is_float && !is_special(spec, value);
}

/* A word that stands for its class. */
static void class_of(const uint64_t from[2], uint32_t sm, uint64_t word[2])
{
    struct sass_inst inst;
    word[0] = from[0];
    word[1] = from[1] & ~control_bits;
    sass_decode(&inst, word, 0, sm);
    if (inst.op == SASS_OP_UNKNOWN)
        return;
    const struct encoding_table *table = encoding_table(sm);
    const struct encoding *encoding = &table->encoding[inst.encoding];
    for (unsigned i = 0; i < encoding->operand_count; i++) {
        const struct operand_spec *spec = &table->operand[encoding->operands + i];
        if (is_plain(spec, word_bits(from, spec->range.low, spec->range.count)))
            clear_bits(word, spec->range);
    }
    for (unsigned i = 0; i < encoding->field_count; i++) {
        const struct encoding_field *field = &table->field[table->field_use[encoding->fields + i]];
        if (field->mod > SASS_MOD_NONE && field_value(field, from) != 0)
            for (unsigned r = 0; r < field->ranges; r++)
                clear_bits(word, field->range[r]);
    }
}

/* Leaves so many words of each class, the first of which takes over the counts of the others. */
static void thin(struct words *words, uint32_t sm, uint64_t per_class)
{
    struct words classes = {.slot = take(CLASSES, sizeof *classes.slot), .slots = CLASSES};
    size_t *first = take(CLASSES, sizeof *first);
    for (size_t i = 0; i < words->slots; i++) {
        struct entry *entry = &words->slot[i];
        uint64_t word[2];
        if (!entry->count)
            continue;
        class_of(entry->word, sm, word);
        struct entry *class = find(&classes, word);
        if (class->count++ == 0) {
            class->word[0] = word[0];
            class->word[1] = word[1];
            first[class - classes.slot] = i;
            if (++classes.used == CLASSES / 4 * 3)
                fail("there are too many classes: make CLASSES larger", "");
        } else if (class->count > per_class) {
            words->slot[first[class - classes.slot]].count += entry->count;
            entry->count = 0; /* words are not looked for any more */
        }
    }
    free(classes.slot);
    free(first);
}

/* ---- Collecting ---- */

static unsigned index_of(uint32_t sm)
{
    unsigned index = 0;
    while (index < SMS && sms[index] != sm)
        index++;
    return index;
}

static void write_words(const struct words *words, const char *folder, uint32_t sm)
{
    char path[4096];
    uint64_t distinct = 0, all = 0;
    (void)snprintf(path, sizeof path, "%s/%u.words", folder, sm);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("cannot write ", path);
    for (size_t i = 0; i < words->slots; i++) {
        if (!words->slot[i].count)
            continue;
        if (fwrite(&words->slot[i], sizeof words->slot[i], 1, file) != 1)
            fail("cannot write ", path);
        distinct++;
        all += words->slot[i].count;
    }
    if (fclose(file) != 0)
        fail("cannot write ", path);
    (void)printf("sm_%u: %" PRIu64 " instructions, %zu distinct, %" PRIu64 " kept\n", sm, all,
                 words->used, distinct);
}

static void collect(const char *path, const char *folder, uint64_t per_class)
{
    struct simsm_error error;
    struct sass_file file;
    struct words words[SMS] = {{0}};
    char text[1200];
    if (sass_file_open(&file, path, &error) != SIMSM_OK)
        fail(simsm_error_text(&error, text, sizeof text), "");
    for (uint32_t i = 0; i < file.images; i++) {
        struct sass_image *image = &file.image[i];
        struct sass_module *module = NULL;
        unsigned index = index_of(image->sm);
        if (image->kind != SASS_IMAGE_CUBIN || index == SMS)
            continue;
        enum simsm_status status = sass_image_load(image, path, &error);
        if (status == SIMSM_OK && !image->empty)
            status = sass_module_open(&module, image->data, image->size, path, &error);
        if (status != SIMSM_OK)
            (void)printf("image %u: %s\n", i, simsm_error_text(&error, text, sizeof text));
        if (module)
            count_module(&words[index], module);
        sass_module_close(module);
        sass_image_unload(image);
    }
    sass_file_close(&file);
    for (unsigned s = 0; s < SMS; s++) {
        if (per_class && words[s].used)
            thin(&words[s], sms[s], per_class);
        if (words[s].used)
            write_words(&words[s], folder, sms[s]);
        free(words[s].slot);
    }
}

static FILE *open_words(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot read ", path);
    return file;
}

static void raw(const char *path)
{
    struct entry entry;
    FILE *file = open_words(path);
    while (fread(&entry, sizeof entry, 1, file) == 1)
        if (fwrite(entry.word, sizeof entry.word, 1, stdout) != 1)
            fail("cannot write the words", "");
    (void)fclose(file);
}

/* ---- Comparing ---- */

/* Replaces each run of blanks by one blank, and removes blanks at the end. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++)
        if (*at != ' ' || (at[1] != ' ' && at[1] != '\0' && at[1] != '\n'))
            *to++ = *at;
    while (to > text && (to[-1] == ' ' || to[-1] == '\n'))
        to--;
    *to = '\0';
}

struct listed {
    char text[1024];
    uint64_t pc; /* UINT64_MAX: the listing ends here */
};

/* The next line with an address in a comment, the text, ";". */
static void read_listed(struct listed *listed)
{
    char line[1024];
    listed->pc = UINT64_MAX;
    while (fgets(line, sizeof line, stdin)) {
        char *begin = strstr(line, "/*"), *end = begin ? strstr(begin, "*/") : NULL;
        char *stop = end ? strrchr(end, ';') : NULL;
        if (!stop || strspn(line, " \t{") != (size_t)(begin - line))
            continue;
        *stop = '\0';
        listed->pc = strtoul(begin + 2, NULL, 16);
        (void)snprintf(listed->text, sizeof listed->text, "%s", end + 2 + strspn(end + 2, " \t{"));
        squeeze(listed->text);
        return;
    }
}

/* Copies the name of the operation in the listing, without the guard. */
static void take_name(const char *text, char *name, size_t size)
{
    if (*text == '@')
        text += strcspn(text, " ") + 1;
    (void)snprintf(name, size, "%.*s", (int)strcspn(text, " ."), text);
}

struct tally {
    char name[32];
    uint64_t distinct, all;
};

static void blame(struct tally *tally, size_t tallies, const char *text, uint64_t count)
{
    char name[32];
    take_name(text, name, sizeof name);
    for (size_t i = 0; i < tallies; i++) {
        if (tally[i].name[0] && strcmp(tally[i].name, name) != 0)
            continue;
        memcpy(tally[i].name, name, sizeof name);
        tally[i].distinct++;
        tally[i].all += count;
        return;
    }
}

/* Counts for one compute capability: instruction words, and the instructions that they stand
 * for. */
struct sum {
    uint64_t words, all, same, same_all, refused, refused_all;
};

/* Is our text the listed one, and every bit of the word known? Says so if not. */
static bool agrees(uint32_t sm, const struct entry *entry, const struct listed *listed)
{
    struct sass_inst inst;
    char text[1024];
    sass_decode(&inst, entry->word, (uint32_t)listed->pc, sm);
    (void)sass_text(&inst, text, sizeof text);
    squeeze(text);
    if (strcmp(text, listed->text) == 0 && !inst.unread[0] && !inst.unread[1])
        return true;
    (void)printf("sm_%u %016" PRIx64 " %016" PRIx64 " x %" PRIu64
                 "\n  nvdisasm: %s\n  simsm:    %s\n  unread:   %016" PRIx64 " %016" PRIx64 "\n",
                 sm, entry->word[0], entry->word[1], entry->count, listed->text, text,
                 inst.unread[0], inst.unread[1]);
    return false;
}

static void compare(uint32_t sm, const char *path)
{
    enum { TALLIES = 200 };
    static struct tally tally[TALLIES];
    static struct listed listed;
    struct entry entry;
    struct sum sum = {0};
    FILE *file = open_words(path);
    read_listed(&listed);
    for (; fread(&entry, sizeof entry, 1, file) == 1; sum.words++) {
        sum.all += entry.count;
        if (listed.pc != sum.words % BATCH_WORDS * INSTRUCTION_BYTES) { /* nvdisasm has no text */
            sum.refused++;
            sum.refused_all += entry.count;
            continue;
        }
        if (agrees(sm, &entry, &listed)) {
            sum.same++;
            sum.same_all += entry.count;
        } else {
            blame(tally, TALLIES, listed.text, entry.count);
        }
        read_listed(&listed);
    }
    (void)fclose(file);
    for (size_t i = 0; i < TALLIES && tally[i].name[0]; i++)
        (void)printf("unmatched sm_%u %s: %" PRIu64 " words, %" PRIu64 " instructions\n", sm,
                     tally[i].name, tally[i].distinct, tally[i].all);
    (void)printf("sm_%u: %" PRIu64 " instructions, %" PRIu64 " words compared, %" PRIu64
                 " matched (%" PRIu64 " instructions), %" PRIu64 " refused by nvdisasm (%" PRIu64
                 " instructions)\n",
                 sm, sum.all, sum.words, sum.same, sum.same_all, sum.refused, sum.refused_all);
}

int main(int argc, char **argv)
{
    if (argc >= 4 && argc <= 5 && strcmp(argv[1], "collect") == 0)
        collect(argv[2], argv[3], argc == 5 ? strtoull(argv[4], NULL, 10) : 0);
    else if (argc == 3 && strcmp(argv[1], "raw") == 0)
        raw(argv[2]);
    else if (argc == 4 && strcmp(argv[1], "compare") == 0)
        compare((uint32_t)strtoul(argv[2], NULL, 10), argv[3]);
    else
        fail("usage: library_words collect FILE FOLDER [PER_CLASS] | raw WORDS | ",
             "compare SM WORDS < LISTING");
    return 0;
}
