/* Prints all keys of the configuration, as text and as docs/configuration.md. */
#include "cli/config_keys.h"

#include <stdio.h>
#include <string.h>

#include "config/sources.h"
#include "config/value.h"

/* Returns whether a configuration must give this key. The schema does not mark sm.carveouts as
 * required, but simsm_config_check() refuses a configuration without it. */
static bool must_be_given(const struct schema_row *row)
{
    return row->required || row == &schema_rows[SCHEMA_sm_carveouts];
}

static const char *default_of(const struct schema_row *row, char text[VALUE_TEXT])
{
    struct simsm_config config;
    if (must_be_given(row))
        return "required";
    schema_defaults(&config);
    return value_text(&config, row, text);
}

void config_keys_text(void)
{
    for (const struct schema_section *s = schema_sections; s->name; s++) {
        (void)printf("%s%s: %s\n", s == schema_sections ? "" : "\n", s->name, s->meaning);
        for (int id = 0; id < SCHEMA_ROWS; id++) {
            const struct schema_row *row = &schema_rows[id];
            char path[SCHEMA_PATH], text[VALUE_TEXT], expected[VALUE_REASON];
            if (strcmp(row->section, s->name) != 0)
                continue;
            (void)printf("  %s [%s]  %s; %s%s\n      %s\n", schema_path(row, path),
                         row->unit[0] ? row->unit : "-", value_expected(row, expected),
                         must_be_given(row) ? "" : "default ", default_of(row, text), row->meaning);
        }
    }
}

static const char head[] =
    "# Configuration\n"
    "\n"
    "This page is the output of `simsm config keys --markdown`.\n"
    "\n"
    "A configuration is a YAML file: sections, and in each section keys with values. It describes "
    "a\n"
    "GPU and how a run is made. A configuration is named by its path, or by a bare name such as\n"
    "`t4`, which is looked up as `./configs/t4.yaml` and then in the installed data folder;\n"
    "`simsm config list` shows what there is, `simsm config show t4` every value with its source.\n"
    "\n"
    "    base: t4.yaml              # optional, first: build on another file, relative to this "
    "one\n"
    "\n"
    "    sm:\n"
    "      scheduler: lrr           # one key\n"
    "      carveouts: [32KB, 64KB]  # a list\n"
    "    pipes:\n"
    "      fp64: {shared: true}     # a pipe by its name\n"
    "    ops:\n"
    "      fp32: {latency: 5}       # an opcode class by its name\n"
    "\n"
    "- A key that is not given keeps the value of the `base`, or else its default. Keys marked\n"
    "  *required* have none.\n"
    "- Sizes in bytes may be written `64KB` or `64KiB` (both 65536), `1MiB`, `2GB`.\n"
    "- A file holds at most 1 MiB, a chain of bases at most 8 files below the first. Unknown,\n"
    "  misplaced and repeated keys, values out of range, anchors, aliases, tags and further "
    "documents\n"
    "  are errors.\n"
    "- `--set section.key=value` changes one key for a run, as in `--set sm.scheduler=gto`,\n"
    "  `--set ops.fp32.latency=4` or `--set pipes.fp64.shared=true`; `--dump-config` writes a "
    "file\n"
    "  that gives the same run again.\n"
    "- Values that contradict one another are refused: a cache that is smaller than one set, more\n"
    "  threads than warp slots hold, a latency that is not above the latencies that are part of "
    "it.\n"
    "\n"
    "## Where the numbers come from\n"
    "\n"
    "In the shipped files each line that gives a value ends in a comment `# [trust] source`. Where "
    "a\n"
    "line has several sources, the weakest counts.\n"
    "\n"
    "| trust | the value was |\n"
    "|---|---|\n";

static void table_of_fields(const char *section)
{
    (void)printf("| key | value | default | unit | meaning |\n|---|---|---|---|---|\n");
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        const struct schema_row *row = &schema_rows[id];
        char text[VALUE_TEXT], expected[VALUE_REASON];
        if (strcmp(row->section, section) != 0)
            continue;
        const char *value = default_of(row, text), *tick = value == text ? "`" : "";
        (void)printf("| `%s` | %s | %s%s%s | %s | %s |\n", row->key, value_expected(row, expected),
                     tick, value, tick, row->unit, row->meaning);
    }
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        const struct schema_row *row = &schema_rows[id];
        if (strcmp(row->section, section) != 0 || row->type != SCHEMA_ENUM)
            continue;
        (void)printf("\n`%s.%s`:\n\n", section, row->key);
        for (const struct schema_choice *c = row->choices; c->name; c++)
            (void)printf("- `%s`: %s\n", c->name, c->meaning);
    }
}

/* Prints a section such as `pipes` or `ops`: one line for each pipe or opcode class, one column for
 * each key. */
static void table_of_groups(const char *section)
{
    struct simsm_config config;
    schema_defaults(&config);
    int first = schema_first(section, NULL);
    int keys = 0;
    while (first + keys < SCHEMA_ROWS &&
           strcmp(schema_rows[first + keys].group, schema_rows[first].group) == 0)
        keys++;
    (void)printf("| name |");
    for (int i = 0; i < keys; i++)
        (void)printf(" %s%s%s%s |", schema_rows[first + i].key,
                     schema_rows[first + i].unit[0] ? " (" : "", schema_rows[first + i].unit,
                     schema_rows[first + i].unit[0] ? ")" : "");
    (void)printf(" meaning |\n|---|");
    for (int i = 0; i < keys; i++)
        (void)printf("---|");
    (void)printf("---|\n");
    for (int id = first; id < SCHEMA_ROWS && strcmp(schema_rows[id].section, section) == 0;
         id += keys) {
        char text[VALUE_TEXT];
        (void)printf("| `%s` |", schema_rows[id].group);
        for (int i = 0; i < keys; i++)
            (void)printf(" `%s` |", value_text(&config, &schema_rows[id + i], text));
        (void)printf(" %s |\n", schema_rows[id].meaning);
    }
}

void config_keys_markdown(void)
{
    (void)printf("%s", head);
    for (const struct sources_trust *trust = sources_trusts; trust->name; trust++)
        (void)printf("| `%s` | %s |\n", trust->name, trust->meaning);
    for (const struct schema_section *s = schema_sections; s->name; s++) {
        (void)printf("\n## %s: %s\n\n", s->name, s->meaning);
        if (strcmp(s->name, "pipes") == 0)
            (void)printf("`shared: true` means one pipe for the SM, `false` one for each "
                         "sub-partition. Defaults:\n\n");
        if (strcmp(s->name, "ops") == 0)
            (void)printf("`pipe` is where a class runs, `latency` the cycles from issue to the "
                         "issue of a\ndependent instruction, `interval` the cycles for which a "
                         "warp instruction occupies the pipe.\nMemory classes take their latency "
                         "from the memory system. Defaults:\n\n");
        if (s->grouped)
            table_of_groups(s->name);
        else
            table_of_fields(s->name);
    }
}
