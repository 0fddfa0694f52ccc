/* `simsm occupancy`: how many blocks fit into an SM, what limits them, and what would raise it. */
#include <stdlib.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/occupancy_request.h"
#include "cli/occupancy_show.h"
#include "config/config_files.h"
#include "simsm/simsm.h"

static void fill_properties(struct occupancy_answer *answer)
{
    const struct simsm_config *c = answer->config;
    uint32_t warps = c->sm_max_threads / SIMSM_WARP_LANES;
    const struct occupancy_property table[OCCUPANCY_PROPERTIES] = {
        {"threads_per_warp", "threads per warp", "threads", SIMSM_WARP_LANES},
        {"max_warps_per_sm", "most warps per SM", "warps",
         warps < c->sm_warp_slots ? warps : c->sm_warp_slots},
        {"max_blocks_per_sm", "most blocks per SM", "blocks", c->sm_max_blocks},
        {"max_threads_per_sm", "most threads per SM", "threads", c->sm_max_threads},
        {"max_threads_per_block", "largest block", "threads", c->sm_max_threads_per_block},
        {"registers_per_sm", "registers per SM", "registers", c->sm_registers},
        {"max_registers_per_block", "most registers per block", "registers",
         c->sm_registers_per_block},
        {"max_registers_per_thread", "most registers per thread", "registers",
         c->sm_max_registers_per_thread},
        {"shared_bytes_per_sm", "most shared memory per SM", "bytes", c->sm_shared_bytes},
        {"max_shared_bytes_per_block", "most shared memory per block", "bytes",
         c->sm_shared_per_block_optin > c->sm_shared_per_block ? c->sm_shared_per_block_optin
                                                               : c->sm_shared_per_block},
        {"register_allocation_unit", "register allocation unit", "registers", c->sm_register_unit},
        {"shared_allocation_unit_bytes", "shared memory allocation unit", "bytes",
         c->sm_shared_unit},
        {"register_allocation_granularity_warps", "registers are allocated per", "warp", 1},
        {"warp_allocation_granularity", "warp allocation granularity", "warps", c->sm_warp_unit},
        {"reserved_shared_bytes_per_block", "shared memory reserved per block", "bytes",
         c->sm_shared_reserved},
    };
    for (int i = 0; i < OCCUPANCY_PROPERTIES; i++)
        answer->properties[i] = table[i];
}

static enum simsm_status find_curves(struct occupancy_answer *answer, struct simsm_error *error)
{
    static const enum vary_input inputs[OCCUPANCY_CURVES] = {VARY_THREADS, VARY_REGISTERS,
                                                             VARY_SHARED};
    for (int i = 0; i < OCCUPANCY_CURVES; i++) {
        answer->curves[i] = vary_curve(answer->config, &answer->launch, inputs[i]);
        if (!answer->curves[i])
            return err_no_memory(error);
    }
    return SIMSM_OK;
}

static enum simsm_status find_launch(struct occupancy_answer *answer, struct simsm_error *error)
{
    static const struct occupancy_step steps[OCCUPANCY_STEPS] = {
        {.input = VARY_THREADS}, {.input = VARY_THREADS, .above = true},  {.input = VARY_REGISTERS},
        {.input = VARY_SHARED},  {.input = VARY_CARVEOUT, .above = true},
    };
    const struct simsm_config *config = answer->config;
    const struct simsm_launch *launch = &answer->launch;
    if (launch->shared_static > config->sm_shared_per_block)
        return err_set(error, SIMSM_BAD_INPUT,
                       "a block has at most %u bytes of static shared memory, and --static is %u "
                       "bytes above that; use dynamic shared memory (--smem) for the rest",
                       config->sm_shared_per_block,
                       launch->shared_static - config->sm_shared_per_block);
    enum simsm_status status = simsm_occupancy(config, launch, &answer->result, error);
    if (status != SIMSM_OK)
        return status;
    for (int i = 0; i < OCCUPANCY_STEPS; i++) {
        struct occupancy_step *step = &answer->steps[i];
        *step = steps[i];
        if (step->input == VARY_CARVEOUT && launch->carveout == SIMSM_CARVEOUT_DEFAULT)
            continue; /* the default carve-out is already large enough */
        step->found = vary_next_better(config, launch, step->input, step->above, &step->better);
    }
    answer->room_registers = vary_room(config, launch, VARY_REGISTERS);
    answer->room_shared = vary_room(config, launch, VARY_SHARED);
    return find_curves(answer, error);
}

static enum simsm_status find_advice(struct occupancy_answer *answer, struct simsm_error *error)
{
    struct simsm_occupancy result;
    struct simsm_launch smallest = answer->launch;
    vary_set(&smallest, VARY_THREADS, SIMSM_WARP_LANES);
    enum simsm_status status = simsm_occupancy(answer->config, &smallest, &result, error);
    if (status != SIMSM_OK)
        return status; /* not even one warp fits, for the same reason at every size */
    answer->sizes = vary_curve(answer->config, &answer->launch, VARY_THREADS);
    if (!answer->sizes)
        return err_no_memory(error);
    for (uint32_t i = 0; i < vary_count(answer->config, VARY_THREADS); i++) {
        uint32_t warps = answer->sizes[i].occupancy.warps;
        answer->best_warps = warps > answer->best_warps ? warps : answer->best_warps;
    }
    return SIMSM_OK;
}

static enum simsm_status find(const struct occupancy_request *request,
                              struct occupancy_answer *answer, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    answer->launch = request->launch;
    if (request->carveout_is_percent)
        answer->launch.carveout =
            (uint32_t)((uint64_t)request->launch.carveout * answer->config->sm_shared_bytes / 100);
    answer->has_launch = request->launch.block[0] != 0;
    answer->has_advice = request->advise;
    answer->has_bounds = request->has_bounds;
    fill_properties(answer);
    if (answer->has_launch)
        status = find_launch(answer, error);
    if (status == SIMSM_OK && answer->has_advice)
        status = find_advice(answer, error);
    if (status == SIMSM_OK && answer->has_bounds)
        status = bounds_registers(answer->config, request->bounds_threads, request->bounds_blocks,
                                  &answer->bounds, error);
    return status;
}

/* Writes CSV as write_file() expects. Always returns true; outfile_commit() finds write errors. */
static bool write_csv(FILE *file, const struct occupancy_answer *answer)
{
    occupancy_write_csv(file, answer);
    return true;
}

static enum simsm_status write_file(const char *path, const struct occupancy_answer *answer,
                                    bool (*write)(FILE *, const struct occupancy_answer *),
                                    struct simsm_error *error)
{
    struct outfile out;
    if (!path)
        return SIMSM_OK;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    if (write(out.file, answer))
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return err_no_memory(error);
}

static enum simsm_status write_files(const struct occupancy_request *request,
                                     const struct occupancy_answer *answer,
                                     struct simsm_error *error)
{
    enum simsm_status status = write_file(request->csv, answer, write_csv, error);
    if (status == SIMSM_OK)
        status = write_file(request->svg, answer, occupancy_write_svg, error);
    if (status == SIMSM_OK)
        status = write_file(request->json, answer, occupancy_write_json, error);
    return status;
}

static enum simsm_status show(const struct occupancy_request *request,
                              const struct occupancy_answer *answer, struct simsm_error *error)
{
    if (answer->has_launch) {
        occupancy_show_result(stdout, answer);
        occupancy_show_steps(stdout, answer);
    }
    if (answer->has_bounds)
        occupancy_show_bounds(stdout, answer);
    if (answer->has_advice)
        occupancy_show_advice(stdout, answer, request->ascii);
    if (answer->has_launch && !request->no_plot &&
        !occupancy_show_curves(stdout, answer, request->ascii))
        return err_no_memory(error);
    if (answer->has_launch || !(answer->has_bounds || answer->has_advice))
        occupancy_show_properties(stdout, answer);
    return SIMSM_OK;
}

/* Returns SIMSM_BAD_INPUT if an output would overwrite another file. Sets *silent if an output goes
 * to the standard output: then nothing else is printed. */
static enum simsm_status check_files(const struct occupancy_request *request, bool *silent,
                                     struct simsm_error *error)
{
    char config[CONFIG_PATH];
    enum simsm_status status = config_files_find(request->config, config, error);
    const struct cli_file files[] = {
        {"the configuration", config, true},
        {"--csv", request->csv, false},
        {"--svg", request->svg, false},
        {"--json", request->json, false},
    };
    const size_t count = sizeof files / sizeof files[0];
    *silent = cli_files_take_stdout(files, count);
    return status == SIMSM_OK ? cli_files_check(files, count, error) : status;
}

int cmd_occupancy(int argc, char **argv)
{
    struct occupancy_request request;
    struct simsm_config config;
    struct simsm_error error;
    occupancy_request_parse(argc, argv, &request);
    bool silent = false;
    enum simsm_status status = check_files(&request, &silent, &error);
    if (status == SIMSM_OK)
        status = simsm_config_load(&config, request.config, &error);
    if (status != SIMSM_OK)
        return cli_fail(&error);
    struct occupancy_answer answer = {.config = &config};
    status = find(&request, &answer, &error);
    if (status == SIMSM_OK)
        status = write_files(&request, &answer, &error);
    if (status == SIMSM_OK && !silent)
        status = show(&request, &answer, &error);
    for (int i = 0; i < OCCUPANCY_CURVES; i++)
        free(answer.curves[i]);
    free(answer.sizes);
    return status == SIMSM_OK ? cli_finish(SIMSM_OK) : cli_fail(&error);
}
