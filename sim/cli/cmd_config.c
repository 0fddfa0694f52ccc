/* `simsm config list|show|keys`: all configurations, the values of one, and all keys. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/config_keys.h"
#include "config/config_files.h"
#include "config/sources.h"
#include "config/suggest.h"
#include "config/value.h"

struct config_request {
    const char *action, *name, *part;
    bool markdown;
};

static void row_of_list(const char *name, const char *path, void *user)
{
    char chosen[CONFIG_PATH], text[1024];
    struct simsm_config config;
    struct simsm_error error;
    bool *head = user;
    if (config_files_find(name, chosen, &error) != SIMSM_OK || strcmp(chosen, path) != 0)
        return; /* an earlier folder has a configuration of this name */
    if (!*head)
        (void)printf("%-12s %-28s %5s %5s  %s\n", "name", "GPU", "cc", "SMs", "file");
    *head = true;
    if (simsm_config_load(&config, path, &error) != SIMSM_OK)
        (void)printf("%-12s %s\n", name, simsm_error_text(&error, text, sizeof text));
    else
        (void)printf("%-12s %-28s %3u.%u %5u  %s\n", name, config.gpu_name,
                     config.gpu_compute_capability / 10, config.gpu_compute_capability % 10,
                     config.gpu_sms, path);
}

static int list(void)
{
    bool any = false;
    struct simsm_error error;
    config_files_each(row_of_list, &any);
    if (any)
        return SIMSM_OK;
    (void)config_files_none(&error);
    return cli_fail(&error);
}

/* The texts of one row that `config show` prints. */
struct config_cells {
    char path[SCHEMA_PATH], value[VALUE_TEXT];
};

/* Returns whether a path begins with the words of `part`: "ops", "ops.fp32" or "gpu.timing". */
static bool is_part(const char *path, const char *part)
{
    const size_t length = strlen(part);
    return strncmp(path, part, length) == 0 && (!path[length] || path[length] == '.');
}

/* Returns SIMSM_BAD_INPUT if no key is `part`, or part of it. */
static enum simsm_status check_part(const char *part, struct simsm_error *error)
{
    char path[SCHEMA_PATH], section[SCHEMA_PATH], text[SUGGEST_TEXT];
    for (int id = 0; id < SCHEMA_ROWS; id++)
        if (is_part(schema_path(&schema_rows[id], path), part))
            return SIMSM_OK;
    const char *dot = strchr(part, '.');
    (void)snprintf(section, sizeof section, "%.*s", (int)strcspn(part, "."), part);
    const bool inner = dot && schema_first(section, NULL) >= 0;
    return err_set(error, SIMSM_BAD_INPUT, "%s",
                   suggest_for(inner ? section : NULL, NULL, inner ? dot + 1 : section, text));
}

static void print_rows(const struct simsm_config *config, const struct source *source,
                       const char *part)
{
    struct config_cells cells;
    int width[3] = {0};
    for (int pass = 0; pass < 2; pass++) { /* first measure the widths, then print */
        for (int id = 0; id < SCHEMA_ROWS; id++) {
            const struct schema_row *row = &schema_rows[id];
            schema_path(row, cells.path);
            if (part && !is_part(cells.path, part))
                continue;
            value_text(config, row, cells.value);
            const char *cell[3] = {cells.path, cells.value, row->unit};
            for (int i = 0; i < 3 && pass == 0; i++) {
                int length = (int)strlen(cell[i]);
                if (length > width[i] && length <= 40)
                    width[i] = length;
            }
            if (pass == 1)
                (void)printf("%-*s  %-*s  %-*s  %-8s%s%s\n", width[0], cell[0], width[1], cell[1],
                             width[2], cell[2], source[id].trust, source[id].text[0] ? "  " : "",
                             source[id].text);
        }
    }
}

static int show(const struct config_request *request)
{
    struct simsm_config config;
    struct config_origins origins;
    struct simsm_error error;
    char path[CONFIG_PATH];
    struct source *source = calloc(SCHEMA_ROWS, sizeof *source);
    if (!source) {
        (void)err_no_memory(&error);
        return cli_fail(&error);
    }
    enum simsm_status status = request->part ? check_part(request->part, &error) : SIMSM_OK;
    if (status == SIMSM_OK)
        status = config_files_find(request->name, path, &error);
    if (status == SIMSM_OK)
        status = config_parse_file(path, &config, &origins, &error);
    if (status == SIMSM_OK)
        status = sources_read(&origins, source, &error);
    if (status == SIMSM_OK && config.gpu_timing == SIMSM_CHANGED_timing &&
        origins.at[SCHEMA_gpu_timing].file != 1)
        source[SCHEMA_gpu_timing] =
            (struct source){.trust = "", .text = "a file above the base changes values"};
    if (status == SIMSM_OK)
        print_rows(&config, source, request->part);
    free(source);
    return status == SIMSM_OK ? SIMSM_OK : cli_fail(&error);
}

static const struct argp_option options[] = {
    {"markdown", 'm', NULL, 0, "with keys: print docs/configuration.md", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void check_action(const char *text, struct argp_state *state)
{
    static const char *const names[] = {"list", "show", "keys"};
    const size_t count = sizeof names / sizeof names[0];
    char question[SUGGEST_QUESTION];
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return;
    argp_error(state, "expected list, show or keys, found '%s'%s", text,
               suggest_question(suggest_nearest(text, names, count), question));
}

static void check_request(const struct config_request *request, struct argp_state *state)
{
    const bool shows = request->action && strcmp(request->action, "show") == 0;
    const bool keys = request->action && strcmp(request->action, "keys") == 0;
    if (!request->action)
        argp_error(state, "name an action: list, show or keys");
    else if (shows && !request->name)
        argp_error(state, "name the configuration to show, such as t4");
    else if (!shows && request->name)
        argp_error(state, "%s takes no argument, found '%s'", request->action, request->name);
    if (request->markdown && !keys)
        argp_error(state, "--markdown needs keys");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct config_request *request = state->input;
    const char **places[] = {&request->action, &request->name, &request->part};
    switch (key) {
    case 'm':
        request->markdown = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            check_action(text, state);
        if (state->arg_num >= sizeof places / sizeof places[0])
            argp_error(state, "too many arguments, beginning with '%s'", text);
        else
            *places[state->arg_num] = text;
        return 0;
    case ARGP_KEY_END:
        check_request(request, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command_parser config_parser = {
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "list\nshow CONFIG [SECTION | KEY]\nkeys",
             .doc = "Shows configurations, their values and all keys.\vlist: the configurations in "
                    "./configs and in the installed data folder.\n\nshow: every value of a "
                    "configuration, of a section or of a key such as gpu.timing, with its unit, "
                    "how far it can be trusted, and its source.\n\nkeys: every key with type, "
                    "range, default, unit and meaning."},
};

int cmd_config(int argc, char **argv)
{
    struct config_request request = {0};
    command_parser_run(&config_parser, argc, argv, 0, &request);
    if (strcmp(request.action, "list") == 0)
        return cli_finish(list());
    if (strcmp(request.action, "show") == 0)
        return cli_finish(show(&request));
    if (request.markdown)
        config_keys_markdown();
    else
        config_keys_text();
    return cli_finish(SIMSM_OK);
}
