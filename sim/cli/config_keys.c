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
    "This page lists every key of a configuration. Readers need it to change a GPU's numbers\n"
    "or to write the file of another GPU. The page is the output of\n"
    "`simsm config keys --markdown`.\n"
    "\n"
    "A configuration is a YAML file with sections; a section has keys with values. It\n"
    "describes a GPU and the options of a run. A command names a configuration by its path or\n"
    "by a bare name. simsm looks up a bare name such as `t4` as `./configs/t4.yaml`, and then\n"
    "in the installed data folder. `simsm config list` lists the configurations, and\n"
    "`simsm config show t4` prints every value of a configuration with its source.\n"
    "\n"
    "    base: t4.yaml              # optional, first key: build on this file (relative path)\n"
    "\n"
    "    sm:\n"
    "      scheduler: lrr           # one key\n"
    "      carveouts: [32KB, 64KB]  # a list\n"
    "    pipes:\n"
    "      fp64: {shared: true}     # a pipe by its name\n"
    "    ops:\n"
    "      fp32: {latency: 5}       # an opcode class by its name\n"
    "\n"
    "- A key that the file does not give has the value of the `base`, or else its default.\n"
    "  Keys marked *required* have no default.\n"
    "- Sizes in bytes may be written `64KB` or `64KiB` (both 65536), `1MiB`, `2GB`.\n"
    "- A file holds at most 1 MiB. A chain of bases has at most 8 files below the first.\n"
    "- Errors are: unknown, misplaced and repeated keys, values out of range, anchors,\n"
    "  aliases, tags and further documents in the file.\n"
    "- `--set section.key=value` changes one key for a run, as in `--set sm.scheduler=gto`,\n"
    "  `--set ops.fp32.latency=4` or `--set pipes.fp64.shared=true`. `--dump-config` writes a\n"
    "  file that gives the same run again.\n"
    "- `gpu.timing` holds for the values of its own file. It is `changed` in a file that gives\n"
    "  other keys above its base but not `gpu.timing`, and after `--set`, or an option that\n"
    "  stands for it, has changed a value.\n"
    "- simsm refuses values that contradict one another: a cache that is smaller than one\n"
    "  set, more threads than the warp slots hold, or a latency that is not above the\n"
    "  latencies it includes.\n"
    "\n"
    "Times are in the unit of their row. A *load-to-use* time lasts from the issue of a load\n"
    "to the issue of the first instruction that uses its result.\n"
    "\n"
    "## Where the numbers come from\n"
    "\n"
    "In the configurations of simsm, each line that gives a value ends in a comment\n"
    "`# [trust] source`. If a line has several sources, the weakest counts.\n"
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
            (void)printf(
                "`pipe` is the pipe of a class. `latency` is the time from the issue of an\n"
                "instruction to the issue of a dependent instruction. `interval` is the time\n"
                "for which a warp instruction occupies the pipe. The memory system adds the\n"
                "latency of memory classes. Defaults:\n\n");
        if (s->grouped)
            table_of_groups(s->name);
        else
            table_of_fields(s->name);
    }
}
