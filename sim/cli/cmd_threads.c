/* `simsm threads`: which threads of a block form a warp, which lanes give to which in a sum by
 * shuffles, and which words of memory the lanes touch. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "cli/cli.h"
#include "cli/threads_show.h"
#include "cli/touch_map.h"
#include "simsm/names.h"

enum { KEY_SHUFFLE = 256, KEY_SECTORS, KEY_BANKS, KEY_SVG, KEY_COLOUR };

struct threads_request {
    const char *shape, *shuffle, *sectors, *banks, *svg, *colour;
};

/* What is shown: maps, if there are strides, else the picture. */
struct threads_shown {
    struct threads_picture picture;
    struct touch_map map;
};

static const struct argp_option options[] = {
    {"shuffle", KEY_SHUFFLE, "down|up|xor", 0,
     "show the steps of a sum by shuffles over so many lanes: which lane takes from which", 0},
    {"sectors", KEY_SECTORS, "STRIDE[,STRIDE...]", 0,
     "show the sectors of global memory that a warp touches if the words of neighbouring lanes are "
     "STRIDE words apart",
     0},
    {"banks", KEY_BANKS, "STRIDE[,STRIDE...]", 0,
     "show the banks of shared memory instead, and the passes that the access takes", 0},
    {"svg", KEY_SVG, "FILE", 0, "write the picture as SVG as well", 0},
    {"color", KEY_COLOUR, "auto|always|never", 0, "when to use colours (default: auto)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct threads_request *request = state->input;
    switch (key) {
    case KEY_SHUFFLE:
        request->shuffle = text;
        return 0;
    case KEY_SECTORS:
        request->sectors = text;
        return 0;
    case KEY_BANKS:
        request->banks = text;
        return 0;
    case KEY_SVG:
        request->svg = text;
        return 0;
    case KEY_COLOUR:
        request->colour = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->shape)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->shape = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->shape)
            argp_error(state, "name the shape of the block, such as 256, 16x16 or 8x4x8");
        if (!!request->shuffle + !!request->sectors + !!request->banks > 1)
            argp_error(state, "give one of --shuffle, --sectors and --banks");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command_parser threads_parser = {
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "X[xY[xZ]]",
             .doc =
                 "Shows the warp of each thread of a block; or, of one warp, the lanes that give "
                 "to one another in a sum, or the words of memory that they touch.\vThreads are "
                 "numbered with x fastest, then y, then z; 32 neighbouring numbers are a warp."},
};

/* Reads "40x2" into shape[3]; extents that are not given are 1. */
static enum simsm_status read_shape(const char *text, uint32_t shape[3], struct simsm_error *error)
{
    static const unsigned long most[3] = {1024, 1024, 64};
    const char *at = text;
    unsigned long threads = 1;
    int count = 0;
    bool good = true;
    shape[0] = shape[1] = shape[2] = 1;
    while (good && count < 3) {
        char *end;
        unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        good = value >= 1 && value <= most[count];
        if (!good)
            break;
        shape[count++] = (uint32_t)value;
        threads *= value;
        at = end;
        if (*at != 'x')
            break;
        at++;
    }
    if (!good || *at || threads > 1024)
        return err_set(error, SIMSM_BAD_INPUT,
                       "'%.60s' is no shape of a block: expected X, XxY or XxYxZ, such as 16x16, "
                       "with at most 1024 threads (x and y up to 1024, z up to 64)",
                       text);
    return SIMSM_OK;
}

/* Reads "1,2,8" into the strides of the map. */
static enum simsm_status read_strides(const char *option, const char *text, struct touch_map *map,
                                      struct simsm_error *error)
{
    const char *at = text;
    for (map->strides = 0; map->strides < TOUCH_STRIDES; at++) {
        char *end;
        const unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (value < 1 || value > TOUCH_LARGEST_STRIDE)
            break;
        map->stride[map->strides++] = (uint32_t)value;
        at = end;
        if (!*at)
            return SIMSM_OK;
        if (*at != ',')
            break;
    }
    return err_set(error, SIMSM_BAD_INPUT,
                   "%s '%.60s': expected at most %d strides from 1 to %d words, such as 1,2,8",
                   option, text, TOUCH_STRIDES, TOUCH_LARGEST_STRIDE);
}

static enum simsm_status read_map(const struct threads_request *request, uint32_t lanes,
                                  struct touch_map *map, struct simsm_error *error)
{
    *map = (struct touch_map){.banks = request->banks, .lanes = lanes};
    const char *option = map->banks ? "--banks" : "--sectors";
    if (lanes > SIMSM_WARP_LANES)
        return err_set(error, SIMSM_BAD_INPUT, "%s: %u lanes; a warp has at most %d", option, lanes,
                       SIMSM_WARP_LANES);
    return read_strides(option, map->banks ? request->banks : request->sectors, map, error);
}

static enum simsm_status read_shuffle(const char *text, uint32_t lanes,
                                      struct threads_picture *picture, struct simsm_error *error)
{
    static const char *const kinds[] = {"down", "up", "xor"};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(text, kinds[i]) == 0)
            picture->shuffle = kinds[i];
    if (!picture->shuffle)
        return err_set(error, SIMSM_BAD_INPUT, "--shuffle '%.60s': expected down, up or xor", text);
    if (lanes < 2 || lanes > 32 || (lanes & (lanes - 1)))
        return err_set(error, SIMSM_BAD_INPUT,
                       "--shuffle: %u lanes; expected 2, 4, 8, 16 or 32, the lanes of one warp",
                       lanes);
    return SIMSM_OK;
}

static enum simsm_status read_request(const struct threads_request *request,
                                      struct threads_shown *shown, struct simsm_error *error)
{
    struct threads_picture *picture = &shown->picture;
    enum simsm_status status = read_shape(request->shape, picture->shape, error);
    if (status != SIMSM_OK)
        return status;
    if (!terminal_colour(stdout, request->colour, &picture->colour))
        return err_set(error, SIMSM_BAD_INPUT, "--color '%s': expected auto, always or never",
                       request->colour);
    const uint32_t lanes = picture->shape[0] * picture->shape[1] * picture->shape[2];
    if (request->sectors || request->banks)
        return read_map(request, lanes, &shown->map, error);
    return request->shuffle ? read_shuffle(request->shuffle, lanes, picture, error) : SIMSM_OK;
}

static void show(const struct threads_shown *shown, bool svg, FILE *file)
{
    if (shown->map.strides)
        (svg ? touch_map_svg : touch_map_text)(file, &shown->map);
    else
        (svg ? threads_show_svg : threads_show_text)(file, &shown->picture);
}

int cmd_threads(int argc, char **argv)
{
    struct threads_request request = {0};
    struct threads_shown shown = {0};
    struct simsm_error error;
    struct outfile out;
    command_parser_run(&threads_parser, argc, argv, 0, &request);
    enum simsm_status status = read_request(&request, &shown, &error);
    if (status == SIMSM_OK && request.svg)
        status = outfile_open(&out, request.svg, &error);
    if (status != SIMSM_OK)
        return cli_finish(cli_fail(&error));
    if (!request.svg || !outfile_is_stdout(request.svg))
        show(&shown, false, stdout);
    if (request.svg) {
        show(&shown, true, out.file);
        status = outfile_commit(&out, &error);
    }
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
