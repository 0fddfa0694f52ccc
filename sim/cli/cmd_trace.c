/* `simsm trace info|check`: what a trace holds, and whether its warps behave. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "front/audit.h"
#include "front/trace/trace.h"

enum { KEY_CONFIG = 256, KEY_PARAM };

enum {
    COUNT_LIMIT = 20000000, /* instructions that `info` counts one by one: well below a second */
    CHECK_LIMIT = 2000000,  /* instructions that `check` walks of each block */
    CHECK_BLOCKS = 8
};

struct request {
    const char *action, *config;
    const char **params; /* NULL ends them */
    char **files;
    int param_count, file_count;
};

static const struct argp_option options[] = {
    {"config", KEY_CONFIG, "CONFIG", 0,
     "the GPU for which to read it: pipes, divergence, clock, seed (default: the schema's values)",
     0},
    {"param", KEY_PARAM, "NAME=VALUE", 0, "a value for a param of the trace; can be repeated", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case KEY_CONFIG:
        request->config = value;
        return 0;
    case KEY_PARAM:
        request->params[request->param_count++] = value;
        return 0;
    case ARGP_KEY_ARG:
        if (request->action) {
            request->files[request->file_count++] = value;
            return 0;
        }
        request->action = value;
        if (strcmp(value, "info") != 0 && strcmp(value, "check") != 0)
            argp_error(state, "'%s' is neither info nor check", value);
        return 0;
    case ARGP_KEY_END:
        if (!request->action)
            argp_error(state, "say what to do: info or check");
        else if (request->file_count == 0)
            argp_error(state, "name a trace");
        else if (request->file_count > 1 && strcmp(request->action, "info") == 0)
            argp_error(state, "info takes one trace");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_launch(const struct front *front)
{
    const struct simsm_launch *launch = &front->launch;
    (void)printf("kernel     %s\n", launch->name);
    (void)printf("grid       %u x %u x %u: %llu blocks\n", launch->grid[0], launch->grid[1],
                 launch->grid[2], (unsigned long long)simsm_grid_blocks(launch));
    (void)printf("block      %u x %u x %u: %u threads in %u warps\n", launch->block[0],
                 launch->block[1], launch->block[2], simsm_block_threads(launch),
                 simsm_block_warps(launch));
}

/* Registers that the code mentions: the highest one and those below it. */
static uint32_t registers_used(const struct front *front)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        for (unsigned r = 0; r < inst->n_sources + (unsigned)inst->n_destinations; r++) {
            struct reg_range range =
                r < inst->n_sources ? inst->source[r] : inst->destination[r - inst->n_sources];
            uint32_t end = range.first + (uint32_t)range.count;
            if (range.first < REG_P0 && end > used)
                used = end;
        }
    }
    return used;
}

static void print_memory(const struct front *front)
{
    const struct simsm_launch *launch = &front->launch;
    struct trace_buffer buffer;
    (void)printf("registers  %u for each thread; the code uses %u\n", launch->registers,
                 registers_used(front));
    (void)printf("shared     %u B for each block: %u static, %u dynamic\n",
                 launch->shared_static + launch->shared_dynamic, launch->shared_static,
                 launch->shared_dynamic);
    if (launch->carveout != SIMSM_CARVEOUT_DEFAULT)
        (void)printf("carve-out  %u B\n", launch->carveout);
    if (trace_local_bytes(front))
        (void)printf("local      %u B for each thread\n", trace_local_bytes(front));
    for (size_t i = 0; trace_buffer(front, i, &buffer); i++)
        (void)printf("buffer     %s: %llu B at 0x%llx\n", buffer.name,
                     (unsigned long long)buffer.bytes, (unsigned long long)buffer.base);
}

static void print_code(const struct front *front, const struct simsm_config *config)
{
    (void)printf("\n%6s %5s  %-11s %-8s instruction\n", "pc", "line", "class", "pipe");
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        uint32_t pipe = config ? config->ops[inst->op].pipe : simsm_ops[inst->op].pipe;
        char line[16] = "-";
        if (inst->line)
            (void)snprintf(line, sizeof line, "%u", inst->line);
        (void)printf("0x%04x %5s  %-11s %-8s %s\n", inst->pc, line, simsm_ops[inst->op].name,
                     simsm_pipes[pipe].name, front->text[i]);
    }
}

static void print_count(const char *what, bool whole, uint64_t count)
{
    (void)printf("  %-28s %s%llu\n", what, whole ? "" : "more than ", (unsigned long long)count);
}

/* Counts all warps if that is cheap. */
static void print_total(const struct front *front, void *stream)
{
    uint64_t total = 0, blocks = simsm_grid_blocks(&front->launch);
    uint32_t warps = simsm_block_warps(&front->launch);
    bool whole = true;
    for (uint64_t b = 0; b < blocks && whole; b++) {
        for (uint32_t w = 0; w < warps && whole; w++) {
            uint64_t count;
            whole = audit_count(front, stream, b, w, COUNT_LIMIT - total, &count);
            total += count;
        }
    }
    print_count("all warps", whole, total);
}

static enum simsm_status print_counts(const struct front *front, struct simsm_error *error)
{
    uint64_t count, last = simsm_grid_blocks(&front->launch) - 1;
    uint32_t warps = simsm_block_warps(&front->launch);
    void *stream = aligned_alloc(16, (front->stream_size + 15) / 16 * 16);
    if (!stream)
        return err_no_memory(error);
    (void)printf("\nwarp instructions\n");
    bool whole = audit_count(front, stream, 0, 0, COUNT_LIMIT, &count);
    print_count("first block, first warp", whole, count);
    whole = audit_count(front, stream, last, warps - 1, COUNT_LIMIT, &count);
    print_count("last block, last warp", whole, count);
    print_total(front, stream);
    free(stream);
    return SIMSM_OK;
}

static enum simsm_status info(const struct front *front, const struct simsm_config *config,
                              struct simsm_error *error)
{
    print_launch(front);
    print_memory(front);
    print_code(front, config);
    return print_counts(front, error);
}

static void print_finding(const struct front *front, const struct audit_finding *finding)
{
    uint32_t line = front->code[finding->index].line;
    (void)printf("%s:%u: %s: %s (block %llu, warp %u)\n", front->path, line,
                 front->text[finding->index], finding->message, (unsigned long long)finding->block,
                 finding->warp);
}

/* Walks blocks spread evenly over the grid, the first and the last among them. */
static enum simsm_status check(const struct front *front, struct simsm_error *error)
{
    struct audit audit = {0};
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint64_t walked = blocks < CHECK_BLOCKS ? blocks : CHECK_BLOCKS;
    for (uint64_t i = 0; i < walked; i++) {
        uint64_t block = walked == 1 ? 0 : (blocks - 1) / (walked - 1) * i;
        block = i + 1 == walked ? blocks - 1 : block;
        enum simsm_status status = audit_block(front, block, CHECK_LIMIT, &audit, error);
        if (status != SIMSM_OK)
            return status;
    }
    uint32_t kept = audit.findings < AUDIT_MAX_FINDINGS ? audit.findings : AUDIT_MAX_FINDINGS;
    for (uint32_t i = 0; i < kept; i++)
        print_finding(front, &audit.finding[i]);
    if (audit.findings > kept)
        (void)printf("%s: %u more\n", front->path, audit.findings - kept);
    if (audit.findings)
        return err_at(error, SIMSM_FAILED, front->path, 0, 0, "%u findings", audit.findings);
    (void)printf(
        "%s: good; %u instructions, %llu of %llu blocks walked, %llu warp instructions%s\n",
        front->path, front->code_size, (unsigned long long)walked, (unsigned long long)blocks,
        (unsigned long long)audit.instructions, audit.cut ? ", not to their end" : "");
    return SIMSM_OK;
}

static int perform(const struct request *request, const struct simsm_config *config,
                   const char *file)
{
    struct simsm_error error;
    struct front *front;
    enum simsm_status status = front_open(&front, file, config, request->params, &error);
    if (status != SIMSM_OK)
        return cli_fail(&error);
    status =
        strcmp(request->action, "info") == 0 ? info(front, config, &error) : check(front, &error);
    front_close(front);
    if (status == SIMSM_OK)
        return SIMSM_OK;
    (void)fflush(stdout);
    return cli_fail(&error);
}

static int perform_all(const struct request *request)
{
    struct simsm_error error;
    struct simsm_config config;
    int worst = SIMSM_OK;
    if (request->config && (simsm_config_load(&config, request->config, &error) != SIMSM_OK ||
                            simsm_config_check(&config, &error) != SIMSM_OK))
        return cli_fail(&error);
    for (int i = 0; i < request->file_count; i++) {
        int status = perform(request, request->config ? &config : NULL, request->files[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int cmd_trace(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "info FILE\ncheck FILE...",
        .doc = "Reads traces without simulating them. info shows the launch, the code with its "
               "generated branches, and how many instructions warps execute. check also walks the "
               "warps of some blocks and finds barriers that never open and addresses that are "
               "misaligned or outside the kernel's memory.",
    };
    struct request request = {.params = calloc((size_t)argc + 1, sizeof(char *)),
                              .files = calloc((size_t)argc + 1, sizeof(char *))};
    int status = SIMSM_FAILED;
    if (!request.params || !request.files) {
        struct simsm_error error;
        (void)err_no_memory(&error);
        status = cli_fail(&error);
    } else if (argp_parse(&parser, argc, argv, 0, NULL, &request) == 0) {
        status = perform_all(&request);
    }
    free(request.params);
    free(request.files);
    return cli_finish(status);
}
