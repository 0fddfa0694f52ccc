/* `simsm occupancy`: how many blocks fit into an SM, what limits them, and what would raise it. */
#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/occupancy_request.h"
#include "config/config_files.h"
#include "report/occupancy_show.h"
#include "simsm/simsm.h"

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
    occupancy_find_properties(answer);
    if (answer->has_launch)
        status = occupancy_find_launch(answer, error);
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
    occupancy_free(&answer);
    return status == SIMSM_OK ? cli_finish(SIMSM_OK) : cli_fail(&error);
}
