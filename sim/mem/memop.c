/*
 * MODEL: for each memory instruction class its space, its action and the Nsight Compute counters
 * that count it.
 * SOURCE: metrics of Nsight Compute; H200, cuda/calib/pipes.
 * LEFT OUT: nothing known.
 */
#include "mem/memop.h"

#define AT(id) (SIMSM_COUNTER_##id + 1)

#define GLOBAL_LD                                                                                  \
    AT(GLOBAL_LD_REQUESTS), AT(GLOBAL_LD_SECTORS), AT(GLOBAL_LD_SECTOR_HITS), AT(GLOBAL_LD_BYTES), \
        0, 0
/*
 * L1 counts LDGSTS among the loads; counters by machine instruction have it apart.
 * SOURCE: H200, Nsight Compute, LDGSTS with and without .BYPASS beside LDG.
 */
#define LDGSTS                                                                                     \
    AT(GLOBAL_LD_REQUESTS), AT(GLOBAL_LD_SECTORS), AT(GLOBAL_LD_SECTOR_HITS), AT(LDGSTS_BYTES),    \
        AT(LDGSTS_INST), AT(LDGSTS_SECTORS)
#define GLOBAL_ST   AT(GLOBAL_ST_REQUESTS), AT(GLOBAL_ST_SECTORS), 0, AT(GLOBAL_ST_BYTES), 0, 0
#define GLOBAL_ATOM AT(GLOBAL_ATOM_REQUESTS), AT(GLOBAL_ATOM_SECTORS), 0, 0, 0, 0
/* Counted neither as loads nor as stores (H200, cuda/calib pipes). */
#define MBARRIER                                                                                   \
    {                                                                                              \
        MEMOP_SHARED, MEMOP_LOAD, 0, 0, 0, 0, 0, 0                                                 \
    }

const struct memop memops[SIMSM_OP_COUNT] = {
    [SIMSM_OP_LD_GLOBAL] = {MEMOP_GLOBAL, MEMOP_LOAD, GLOBAL_LD},
    [SIMSM_OP_COPY_ASYNC] = {MEMOP_GLOBAL, MEMOP_LOAD, LDGSTS},
    [SIMSM_OP_ST_GLOBAL] = {MEMOP_GLOBAL, MEMOP_STORE, GLOBAL_ST},
    [SIMSM_OP_ATOM_GLOBAL] = {MEMOP_GLOBAL, MEMOP_ATOMIC, GLOBAL_ATOM},
    [SIMSM_OP_RED_GLOBAL] = {MEMOP_GLOBAL, MEMOP_REDUCTION, GLOBAL_ATOM},
    [SIMSM_OP_LD_LOCAL] = {MEMOP_LOCAL, MEMOP_LOAD, AT(LOCAL_REQUESTS), AT(LOCAL_SECTORS),
                           AT(LOCAL_SECTOR_HITS), 0, 0, 0},
    [SIMSM_OP_ST_LOCAL] = {MEMOP_LOCAL, MEMOP_STORE, AT(LOCAL_REQUESTS), AT(LOCAL_SECTORS), 0, 0, 0,
                           0},
    [SIMSM_OP_TEX] = {MEMOP_TEXTURE, MEMOP_LOAD, 0, 0, 0, 0, 0, 0},
    [SIMSM_OP_LD_SHARED] = {MEMOP_SHARED, MEMOP_LOAD, AT(SHARED_LD_REQUESTS),
                            AT(SHARED_LD_WAVEFRONTS), AT(SHARED_LD_CONFLICTS), 0, 0, 0},
    [SIMSM_OP_ST_SHARED] = {MEMOP_SHARED, MEMOP_STORE, AT(SHARED_ST_REQUESTS),
                            AT(SHARED_ST_WAVEFRONTS), AT(SHARED_ST_CONFLICTS), 0, 0, 0},
    [SIMSM_OP_TMA_LOAD] = {MEMOP_GLOBAL, MEMOP_LOAD, 0, 0, 0, AT(TMA_LD_BYTES), 0, 0},
    [SIMSM_OP_TMA_STORE] = {MEMOP_GLOBAL, MEMOP_STORE, 0, 0, 0, AT(TMA_ST_BYTES), 0, 0},
    [SIMSM_OP_TMA_REDUCE] = {MEMOP_GLOBAL, MEMOP_REDUCTION, 0, 0, 0, AT(TMA_RED_BYTES), 0, 0},
    [SIMSM_OP_MBARRIER] = MBARRIER,
    [SIMSM_OP_MBARRIER_WAIT] = MBARRIER,
    [SIMSM_OP_MBARRIER_COPY] = MBARRIER,
    [SIMSM_OP_ATOM_SHARED] = {MEMOP_SHARED, MEMOP_ATOMIC, AT(SHARED_ATOM_REQUESTS),
                              AT(SHARED_ATOM_WAVEFRONTS), 0, 0, 0, 0},
};
