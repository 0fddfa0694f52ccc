#include "cli/occupancy_request.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simsm/error.h"

enum {
    KEY_THREADS = 256,
    KEY_REGS,
    KEY_SMEM,
    KEY_STATIC,
    KEY_CARVEOUT,
    KEY_BOUNDS,
    KEY_CSV,
    KEY_SVG,
    KEY_JSON,
    KEY_ADVISE,
    KEY_NO_PLOT,
    KEY_ASCII
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "The kernel:", 1},
    {"threads", KEY_THREADS, "N", 0, "threads per block", 0},
    {"regs", KEY_REGS, "N", 0, "registers per thread", 0},
    {"smem", KEY_SMEM, "SIZE", 0, "dynamic shared memory per block: 8192, 8KB (default 0)", 0},
    {"static", KEY_STATIC, "SIZE", 0, "static shared memory per block (default 0)", 0},
    {"carveout", KEY_CARVEOUT, "SIZE|P%", 0,
     "shared memory asked for the SM: 64KB, or percent of the most, 50% (default: the GPU's)", 0},
    {0, 0, 0, 0, "What to find out:", 2},
    {"launch-bounds", KEY_BOUNDS, "THREADS,BLOCKS", 0,
     "registers per thread that __launch_bounds__(THREADS,BLOCKS) leaves", 0},
    {"advise", KEY_ADVISE, 0, 0,
     "block sizes with the best occupancy for these registers and this "
     "shared memory",
     0},
    {0, 0, 0, 0, "Output:", 3},
    {"csv", KEY_CSV, "FILE", 0, "write the three curves as CSV", 0},
    {"svg", KEY_SVG, "FILE", 0, "write the three curves as a drawing", 0},
    {"json", KEY_JSON, "FILE", 0, "write everything but the curves as JSON", 0},
    {"no-plot", KEY_NO_PLOT, 0, 0, "leave the curves out of the text", 0},
    {"ascii", KEY_ASCII, 0, 0, "draw with ASCII only", 0},
    {0},
};

/* A whole number that fits; anything else ends the program with a message. */
static uint32_t number(struct argp_state *state, const char *option, const char *text,
                       const char *expected)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || value > UINT32_MAX / 2)
        argp_error(state, "--%s: expected %s, found '%s'", option, expected, text);
    return (uint32_t)value;
}

static uint32_t positive(struct argp_state *state, const char *option, const char *text)
{
    const char *expected = "a whole number from 1, such as 128";
    uint32_t value = number(state, option, text, expected);
    if (value == 0)
        argp_error(state, "--%s: expected %s, found '%s'", option, expected, text);
    return value;
}

/* Bytes, or kibibytes with a K, KB or KiB behind (NVIDIA writes KB for 1024 bytes). */
static uint32_t bytes(struct argp_state *state, const char *option, const char *text)
{
    static const char *const units[] = {"KiB", "kib", "KB", "kB", "kb", "K", "k"};
    const char *expected = "a size such as 8192, 8KB or 8KiB";
    char digits[32];
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i]);
        if (length <= unit || length - unit >= sizeof digits ||
            strcmp(text + length - unit, units[i]) != 0)
            continue;
        memcpy(digits, text, length - unit);
        digits[length - unit] = '\0';
        uint32_t value = number(state, option, digits, expected);
        if (value > UINT32_MAX / 2048)
            argp_error(state, "--%s: '%s' is more than any GPU has", option, text);
        return value * 1024;
    }
    return number(state, option, text, expected);
}

static void carveout(struct argp_state *state, struct occupancy_request *request, const char *text)
{
    char digits[8];
    size_t length = strlen(text);
    request->has_carveout = true;
    request->carveout_is_percent = length > 0 && text[length - 1] == '%';
    if (!request->carveout_is_percent) {
        request->launch.carveout = bytes(state, "carveout", text);
        return;
    }
    const char *expected = "a size such as 64KB, or 0% to 100%";
    if (length > sizeof digits)
        argp_error(state, "--carveout: expected %s, found '%s'", expected, text);
    memcpy(digits, text, length - 1);
    digits[length - 1] = '\0';
    request->launch.carveout = number(state, "carveout", digits, expected);
    if (request->launch.carveout > 100)
        argp_error(state, "--carveout: expected %s, found '%s'", expected, text);
}

static void launch_bounds(struct argp_state *state, struct occupancy_request *request, char *text)
{
    char *comma = strchr(text, ',');
    if (!comma)
        argp_error(state, "--launch-bounds: expected THREADS,BLOCKS such as 256,8, found '%s'",
                   text);
    *comma = '\0';
    request->has_bounds = true;
    request->bounds_threads = positive(state, "launch-bounds", text);
    request->bounds_blocks = positive(state, "launch-bounds", comma + 1);
}

/* What is asked must be enough to answer. */
static void check(struct argp_state *state, const struct occupancy_request *request)
{
    bool threads = request->launch.block[0] != 0;
    bool kernel = threads || request->advise;
    if (!request->config)
        argp_error(state, "which GPU? Name a configuration, such as configs/t4.yaml");
    if (kernel && !request->has_registers)
        argp_error(state,
                   "--%s needs --regs: how many registers does a thread use? "
                   "(nvcc -Xptxas -v says)",
                   threads ? "threads" : "advise");
    if (!kernel && (request->has_registers || request->has_shared || request->has_carveout))
        argp_error(state, "--%s needs --threads, or --advise to have block sizes proposed",
                   request->has_registers ? "regs"
                   : request->has_shared  ? "smem"
                                          : "carveout");
    if (!threads && (request->csv || request->svg))
        argp_error(state, "--%s needs --threads and --regs: the curves pass through that kernel",
                   request->csv ? "csv" : "svg");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct occupancy_request *request = state->input;
    switch (key) {
    case KEY_THREADS:
        request->launch.block[0] = positive(state, "threads", text);
        break;
    case KEY_REGS:
        request->launch.registers = positive(state, "regs", text);
        request->has_registers = true;
        break;
    case KEY_SMEM:
        request->launch.shared_dynamic = bytes(state, "smem", text);
        request->has_shared = true;
        break;
    case KEY_STATIC:
        request->launch.shared_static = bytes(state, "static", text);
        request->has_shared = true;
        break;
    case KEY_CARVEOUT:
        carveout(state, request, text);
        break;
    case KEY_BOUNDS:
        launch_bounds(state, request, text);
        break;
    case KEY_CSV:
        request->csv = text;
        break;
    case KEY_SVG:
        request->svg = text;
        break;
    case KEY_JSON:
        request->json = text;
        break;
    case KEY_ADVISE:
        request->advise = true;
        break;
    case KEY_NO_PLOT:
        request->no_plot = true;
        break;
    case KEY_ASCII:
        request->ascii = true;
        break;
    case ARGP_KEY_ARG:
        if (request->config)
            argp_error(state, "one configuration is enough: '%s' comes after '%s'", text,
                       request->config);
        request->config = text;
        break;
    case ARGP_KEY_END:
        check(state, request);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void occupancy_request_parse(int argc, char **argv, struct occupancy_request *request)
{
    static char name[] = "simsm occupancy";
    static const struct argp argp = {
        options,
        parse,
        "CONFIG",
        "How many blocks and warps of a kernel fit into one SM, what limits them, and what would "
        "make it better.\vWith CONFIG alone: the table of the GPU's limits.",
        0,
        0,
        0,
    };
    *request = (struct occupancy_request){
        .launch = {.name = "",
                   .grid = {1, 1, 1},
                   .block = {0, 1, 1},
                   .carveout = SIMSM_CARVEOUT_DEFAULT},
    };
    argv[0] = name;
    argp_err_exit_status = SIMSM_BAD_INPUT;
    (void)argp_parse(&argp, argc, argv, 0, NULL, request);
}
