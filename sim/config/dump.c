/* A configuration as a YAML file that loads back to the same bits. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "config/value.h"

static void write_field(const struct simsm_config *config, const struct schema_row *row, FILE *file)
{
    char text[VALUE_TEXT], left[VALUE_TEXT + SCHEMA_PATH];
    (void)snprintf(left, sizeof left, "%s: %s", row->key, value_text(config, row, text));
    (void)fprintf(file, "  %-30s # %s%s%s\n", left, row->unit, row->unit[0] ? ": " : "",
                  row->meaning);
}

/* A pipe or opcode class on one line; returns the number of its rows. */
static int write_group(const struct simsm_config *config, int first, FILE *file)
{
    const struct schema_row *row = &schema_rows[first];
    char inner[256] = "", left[320], text[VALUE_TEXT];
    size_t n = 0;
    int id = first;
    for (; id < SCHEMA_ROWS && strcmp(schema_rows[id].group, row->group) == 0; id++)
        n += (size_t)snprintf(inner + n, sizeof inner - n, "%s%s: %s", n ? ", " : "",
                              schema_rows[id].key, value_text(config, &schema_rows[id], text));
    (void)snprintf(left, sizeof left, "%s: {%s}", row->group, inner);
    (void)fprintf(file, "  %-58s # %s\n", left, row->meaning);
    return id - first;
}

enum simsm_status simsm_config_dump(const struct simsm_config *config, FILE *file,
                                    struct simsm_error *error)
{
    errno = 0;
    (void)fprintf(file, "# A complete simsm configuration. Cycles of ops are issue to issue.\n");
    for (const struct schema_section *s = schema_sections; s->name; s++) {
        (void)fprintf(file, "%s: # %s\n", s->name, s->meaning);
        for (int id = schema_first(s->name, NULL); id < SCHEMA_ROWS;) {
            if (strcmp(schema_rows[id].section, s->name) != 0)
                break;
            if (s->grouped) {
                id += write_group(config, id, file);
            } else {
                write_field(config, &schema_rows[id], file);
                id++;
            }
        }
    }
    if (fflush(file) != 0 || ferror(file))
        return err_set(error, SIMSM_FAILED, "writing the configuration failed: %s",
                       errno ? strerror(errno) : "an earlier write did not succeed");
    return SIMSM_OK;
}
