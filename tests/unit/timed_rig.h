/* Launches of a rig (exec_rig.h) in time: to their end, whatever that is. */
#ifndef TESTS_UNIT_TIMED_RIG_H
#define TESTS_UNIT_TIMED_RIG_H

#include "api/simsm_front.h"
#include "exec_rig.h"

static inline enum simsm_status rig_time(struct rig *rig, const char *kernel, uint32_t grid,
                                         uint32_t block, const uint64_t *arguments)
{
    const struct simsm_options options = {.check = true};
    struct exec_launch launch;
    struct front *front;
    struct simsm *simulation;
    uint8_t params[256] = {0};
    rig_prepare(rig, &launch, params, kernel, grid, block, arguments);
    rig->error.message[0] = '\0';
    assert_int_equal(exec_front_open(&front, &launch, &rig->error), SIMSM_OK);
    assert_int_equal(simsm_open_front(&simulation, &rig->config, front, &options, &rig->error),
                     SIMSM_OK);
    const enum simsm_status status = simsm_run(simulation, UINT64_MAX, &rig->error);
    simsm_close(simulation);
    return status;
}

#endif
