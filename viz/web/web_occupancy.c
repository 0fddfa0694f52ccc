/* The occupancy calculator of the page. */
#include "base/err.h"
#include "occupancy/vary.h"
#include "report/occupancy_show.h"
#include "simsm/simsm.h"
#include "web/web.h"

static enum simsm_status write_answer(const struct occupancy_answer *answer,
                                      struct simsm_error *error)
{
    FILE *text = fopen("/occupancy.txt", "w");
    FILE *svg = fopen("/occupancy.svg", "w");
    if (text) {
        occupancy_show_result(text, answer);
        occupancy_show_steps(text, answer);
    }
    bool done = text && svg && occupancy_write_svg(svg, answer);
    done = text && fclose(text) == 0 && done;
    done = svg && fclose(svg) == 0 && done;
    return done ? SIMSM_OK : err_no_memory(error);
}

int web_occupancy(const char *config_name, int threads, int registers, int shared)
{
    static struct simsm_config config; /* too large for the stack */
    struct simsm_error error = {0};
    struct occupancy_answer answer = {.config = &config,
                                      .has_launch = true,
                                      .launch = {.name = "",
                                                 .grid = {1, 1, 1},
                                                 .block = {(uint32_t)threads, 1, 1},
                                                 .registers = (uint32_t)registers,
                                                 .shared_dynamic = (uint32_t)shared,
                                                 .carveout = SIMSM_CARVEOUT_DEFAULT}};
    enum simsm_status status = simsm_config_load(&config, config_name, &error);
    if (status == SIMSM_OK)
        status = occupancy_find_launch(&answer, &error);
    if (status == SIMSM_OK)
        status = write_answer(&answer, &error);
    occupancy_free(&answer);
    return status == SIMSM_OK ? 0 : web_fail(&error);
}
