/* The options of `simsm occupancy`. */
#include "cli/occupancy_request.h"

#include <string.h>

#include "cli/command_parser.h"

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
    KEY_ASCII = PARSER_KEY + OPTION_ascii
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "The kernel:", 1},
    {"threads", KEY_THREADS, "N", 0, "threads per block", 0},
    {"regs", KEY_REGS, "N", 0, "registers per thread", 0},
    {"smem", KEY_SMEM, "SIZE", 0, "dynamic shared memory per block: 8192, 8KB (default 0)", 0},
    {"static", KEY_STATIC, "SIZE", 0, "static shared memory per block (default 0)", 0},
    {"carveout", KEY_CARVEOUT, "SIZE|P%", 0,
     "shared memory of the SM that the kernel asks for: 64KB, or a percentage of the maximum, 50% "
     "(default: the GPU's choice)",
     0},
    {0, 0, 0, 0, "What to compute:", 2},
    {"launch-bounds", KEY_BOUNDS, "THREADS,BLOCKS", 0,
     "registers per thread that __launch_bounds__(THREADS,BLOCKS) allows", 0},
    {"advise", KEY_ADVISE, 0, 0,
     "block sizes with the best occupancy for these registers and this "
     "shared memory",
     0},
    {0, 0, 0, 0, "Output:", 3},
    {"csv", KEY_CSV, "FILE", 0, "write the three curves as CSV", 0},
    {"svg", KEY_SVG, "FILE", 0, "write the three curves as SVG", 0},
    {"json", KEY_JSON, "FILE", 0, "write everything but the curves as JSON", 0},
    {"no-plot", KEY_NO_PLOT, 0, 0, "print no curves", 0},
    {0},
};

/* Reads the first `length` characters as a whole number. Returns false if they are not all digits,
 * or the number is above INT32_MAX. */
static bool digits(const char *text, size_t length, uint32_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        sum = sum * 10 + (uint64_t)(text[i] - '0');
        if (sum > INT32_MAX)
            return false;
    }
    *value = (uint32_t)sum;
    return length > 0;
}

/* Reads a whole number from 1. Ends the program with a message if `text` is no such number. */
static uint32_t positive(struct argp_state *state, const char *option, const char *text,
                         size_t length)
{
    uint32_t value = 0;
    if (!digits(text, length, &value) || value == 0)
        argp_error(state, "--%s: expected a whole number from 1, such as 128, found '%s'", option,
                   text);
    return value;
}

/* Reads a number of bytes, or of KiB if K, KB or KiB follows (NVIDIA writes KB for 1024 bytes).
 * Returns false if the text is no size, or is above INT32_MAX bytes. */
static bool read_bytes(const char *text, uint32_t *value)
{
    static const char *const units[] = {"KiB", "kib", "KB", "kB", "kb", "K", "k"};
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i]);
        if (length <= unit || strcmp(text + length - unit, units[i]) != 0)
            continue;
        bool good = digits(text, length - unit, value) && *value <= INT32_MAX / 1024;
        *value *= 1024;
        return good;
    }
    return digits(text, length, value);
}

/* Reads a size in bytes. Ends the program with a message if `text` is no size. */
static uint32_t bytes(struct argp_state *state, const char *option, const char *text)
{
    uint32_t value = 0;
    size_t length = strspn(text, "0123456789");
    bool good = read_bytes(text, &value);
    if (!good && length &&
        read_bytes(text + length - 1, &value)) /* the unit is right: the number is too large */
        argp_error(state, "--%s: '%s' is too large: the limit is %d bytes", option, text,
                   INT32_MAX);
    if (!good)
        argp_error(state, "--%s: expected a size such as 8192, 8KB or 8KiB, found '%s'", option,
                   text);
    return value;
}

static void carveout(struct argp_state *state, struct occupancy_request *request, const char *text)
{
    size_t length = strlen(text);
    uint32_t *value = &request->launch.carveout;
    bool percent = length > 0 && text[length - 1] == '%';
    if (percent ? !digits(text, length - 1, value) || *value > 100 : !read_bytes(text, value))
        argp_error(state, "--carveout: expected a size such as 64KB, or 0%% to 100%%, found '%s'",
                   text);
    request->has_carveout = true;
    request->carveout_is_percent = percent;
}

static void launch_bounds(struct argp_state *state, struct occupancy_request *request,
                          const char *text)
{
    const char *comma = strchr(text, ',');
    if (!comma) {
        argp_error(state, "--launch-bounds: expected THREADS,BLOCKS such as 256,8, found '%s'",
                   text);
        return;
    }
    request->has_bounds = true;
    request->bounds_threads = positive(state, "launch-bounds", text, (size_t)(comma - text));
    request->bounds_blocks = positive(state, "launch-bounds", comma + 1, strlen(comma + 1));
}

/* Refuses a combination of options from which nothing can be computed. */
static void check(struct argp_state *state, const struct occupancy_request *request)
{
    bool threads = request->launch.block[0] != 0;
    bool kernel = threads || request->advise;
    if (!request->config)
        argp_error(state, "name a configuration, such as t4");
    if (kernel && !request->has_registers)
        argp_error(state,
                   "--%s needs --regs, the registers of a thread; nvcc -Xptxas -v prints them",
                   threads ? "threads" : "advise");
    if (!kernel && (request->has_registers || request->has_shared || request->has_carveout))
        argp_error(state, "--%s needs --threads, or --advise for the best block sizes",
                   request->has_registers ? "regs"
                   : request->has_shared  ? "smem"
                                          : "carveout");
    if (!threads && (request->csv || request->svg))
        argp_error(state, "--%s needs --threads and --regs: the curves are those of a kernel",
                   request->csv ? "csv" : "svg");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct occupancy_request *request = state->input;
    switch (key) {
    case KEY_THREADS:
        request->launch.block[0] = positive(state, "threads", text, strlen(text));
        break;
    case KEY_REGS:
        request->launch.registers = positive(state, "regs", text, strlen(text));
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
            argp_error(state, "expected one configuration, but '%s' follows '%s'", text,
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

const struct command_parser occupancy_parser = {
    .takes = OF_OCCUPANCY,
    .group = 3,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "CONFIG",
             .doc = "Computes how many blocks and warps of a kernel fit into one SM, what limits "
                    "them, and which changes would raise the occupancy.\vWith CONFIG alone, prints "
                    "the limits of the GPU."},
};

void occupancy_request_parse(int argc, char **argv, struct occupancy_request *request)
{
    *request = (struct occupancy_request){
        .launch = {.name = "",
                   .grid = {1, 1, 1},
                   .block = {0, 1, 1},
                   .carveout = SIMSM_CARVEOUT_DEFAULT},
    };
    command_parser_run(&occupancy_parser, argc, argv, 0, request);
}
