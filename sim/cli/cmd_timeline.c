/* `simsm timeline`: a timeline as text, one letter for the state of a warp slot in a cycle. */
#include <stdio.h>

#include "base/err.h"
#include "base/terminal.h"
#include "cli/cli.h"
#include "language/language.h"
#include "timeline/cycle_selection.h"
#include "timeline/sm_parts.h"
#include "timeline/timeline_picture.h"

enum timeline_key {
    KEY_SM = 256,
    KEY_CYCLES,
    KEY_SLOTS,
    KEY_WIDTH,
    KEY_CYCLE,
    KEY_ASCII = PARSER_KEY + OPTION_ascii,
    KEY_COLOR = PARSER_KEY + OPTION_color
};

struct timeline_request {
    const char *file, *sm, *cycles, *slots, *width, *colour, *cycle;
    bool ascii;
};

static const struct argp_option options[] = {
    {"sm", KEY_SM, "N", 0,
     "the SM to show (default: the first with activity; with --cycle, the first recorded)", 0},
    {"cycles", KEY_CYCLES, "A:B", 0,
     "the cycles A to B-1 (default: the first with activity, one per column)", 0},
    {"cycle", KEY_CYCLE, "C", 0,
     "instead of the picture, say what the parts of the SM do in cycle C", 0},
    {"slots", KEY_SLOTS, "LIST", 0, "only these slots: SUB, SUB:SLOT, SUB:FIRST-LAST, ...", 0},
    {"width", KEY_WIDTH, "N", 0, "columns per line (default: those of the terminal, or 100)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct timeline_request *request = state->input;
    switch (key) {
    case KEY_SM:
        request->sm = text;
        return 0;
    case KEY_CYCLES:
        request->cycles = text;
        return 0;
    case KEY_CYCLE:
        request->cycle = text;
        return 0;
    case KEY_SLOTS:
        request->slots = text;
        return 0;
    case KEY_WIDTH:
        request->width = text;
        return 0;
    case KEY_ASCII:
        request->ascii = true;
        return 0;
    case KEY_COLOR:
        request->colour = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->file = text;
        return 0;
    case ARGP_KEY_END:
        if (request->cycle && (request->cycles || request->slots))
            argp_error(state, "--cycle C shows all parts of an SM; leave out --cycles and --slots");
        if (!request->file)
            argp_error(state, "name the timeline to show: a .smtl file that --timeline wrote");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status picture_number(const char *option, const char *text, uint64_t least,
                                        uint64_t most, uint32_t *number, struct simsm_error *error)
{
    uint64_t value;
    if (!text)
        return SIMSM_OK;
    if (selection_number(text, &value, NULL) != SIMSM_OK || value < least || value > most)
        return err_set(error, SIMSM_BAD_INPUT, "%s '%s': expected a number from %llu to %llu",
                       option, text, (unsigned long long)least, (unsigned long long)most);
    *number = (uint32_t)value;
    return SIMSM_OK;
}

/* Converts the texts of the options to options of the picture. */
static enum simsm_status read_picture_options(const struct timeline_request *request,
                                              const struct timeline_info *info,
                                              struct picture_options *picture,
                                              struct simsm_error *error)
{
    *picture = (struct picture_options){
        .sm = UINT32_MAX, .width = terminal_width(stdout, 100), .ascii = request->ascii};
    if (picture->width < PICTURE_LEAST_WIDTH)
        picture->width = PICTURE_LEAST_WIDTH;
    if (picture->width > PICTURE_MOST_WIDTH)
        picture->width = PICTURE_MOST_WIDTH;
    enum simsm_status status =
        picture_number("--sm", request->sm, 0, info->sms - 1, &picture->sm, error);
    if (status == SIMSM_OK)
        status = picture_number("--width", request->width, PICTURE_LEAST_WIDTH, PICTURE_MOST_WIDTH,
                                &picture->width, error);
    if (status == SIMSM_OK && request->cycles) {
        picture->range = true;
        status = selection_cycles(request->cycles, &picture->from, &picture->to, error);
    }
    if (status == SIMSM_OK && request->slots)
        status = selection_slots(request->slots, info->sub_partitions, info->slots, &picture->slots,
                                 error);
    if (status == SIMSM_OK && !terminal_colour(stdout, request->colour, &picture->colour))
        status = err_set(error, SIMSM_BAD_INPUT, "--color '%s': expected auto, always or never",
                         request->colour);
    return status;
}

const struct command_parser timeline_parser = {
    .takes = OF_TIMELINE | OF_LANGUAGE,
    .argp =
        {.options = options,
         .parser = parse,
         .args_doc = "FILE.smtl",
         .doc = "Shows what each warp slot of an SM does, cycle by cycle.\vA row is a warp slot. A "
                "letter is a state; the legend below lists the states that occur. A column is one "
                "cycle, or 2, 4, 8 ... cycles if the range does not fit. Rows are named by their "
                "slot in the sub-partition, as `simsm explain --slot SM:SUB:SLOT` takes it."},
};

/* Writes the parts of the SM at the cycle that --cycle names. */
static enum simsm_status write_parts(const struct timeline_request *request,
                                     struct timeline_reader *reader, uint32_t sm,
                                     struct simsm_error *error)
{
    uint64_t cycle;
    if (selection_number(request->cycle, &cycle, NULL) != SIMSM_OK)
        return err_set(error, SIMSM_BAD_INPUT, "--cycle '%s': expected the number of a cycle",
                       request->cycle);
    return parts_write(reader, sm, cycle, stdout, error);
}

int cmd_timeline(int argc, char **argv)
{
    struct timeline_request request = {0};
    struct picture_options picture;
    struct simsm_error error;
    struct timeline_reader *reader;
    command_parser_run(&timeline_parser, argc, argv, 0, &request);
    if (timeline_read_open(&reader, request.file, &error) != SIMSM_OK)
        return cli_fail(&error);
    const struct timeline_info *info = timeline_read_info(reader);
    enum simsm_status status = read_picture_options(&request, info, &picture, &error);
    if (status == SIMSM_OK)
        status = request.cycle ? write_parts(&request, reader, picture.sm, &error)
                               : picture_write(reader, &picture, stdout, &error);
    if (status == SIMSM_OK && info->damage)
        (void)fprintf(stderr, "simsm: %s: %s\n", info->name, info->damage);
    timeline_read_close(reader);
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
