/*
 * MODEL: constant bank 0: what the driver puts in front of the parameters.
 * SOURCE: places found in code that ptxas makes for the special registers of PTX; they depend on
 * the generation.
 * LEFT OUT: words of the driver that such code does not read.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/control/cluster.h"
#include "exec/memory/constant_bank.h"
#include "exec/memory/module_load.h"

enum constant0 {
    BLOCK_SIZE = 0x00, /* x, y, z */
    GRID_SIZE = 0x0c,
    SHARED_WINDOW = 0x18, /* 64 bits */
    LOCAL_WINDOW = 0x20,  /* 64 bits */
    STACK_POINTER = 0x28,
    SHARED_DYNAMIC = 0x2c,
    SM_COUNT = 0x10c,
    CONSTANTS_75 = 0x50, /* device address of constant bank 3, 64 bits */
    CONSTANTS_90 = 0xd0,
    ENVIRONMENT_75 = 0x88, /* %envreg0 and the registers behind it, 32 bits each */
    ENVIRONMENT_90 = 0x40,
    BANK_90 = 0xc0,          /* generic address of this bank, 64 bits (code of cuBLASLt) */
    PARAMETERS_90 = 0x198,   /* generic address of the parameters, 64 bits */
    IN_CLUSTERS_90 = 0x140,  /* 1: launched in clusters */
    CLUSTER_90 = 0x144,      /* blocks of a cluster in x, y, z */
    RECIPROCALS_90 = 0x150,  /* of these, floats */
    CLUSTERS_90 = 0x15c,     /* clusters of the grid in x, y, z */
    CLUSTER_SIZE_90 = 0x188, /* blocks of a cluster */
};

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

/* Compiled code multiplies a block's index by the reciprocal of the cluster's blocks, and takes the
 * whole part: the index of the cluster. */
static float reciprocal(uint32_t blocks)
{
    const float value = 1.0f / (float)blocks;
    return value * (float)blocks < 1.0f ? nextafterf(value, 1.0f) : value;
}

static void fill_cluster_area(const struct simsm_launch *launch, uint8_t *bank)
{
    const uint32_t size = cluster_size(launch);
    put32(bank + IN_CLUSTERS_90, size != 0);
    put32(bank + CLUSTER_SIZE_90, size ? size : 1);
    for (size_t i = 0; i < 3; i++) {
        const uint32_t blocks = size ? launch->cluster[i] : 1;
        const float part = reciprocal(blocks);
        put32(bank + CLUSTER_90 + 4 * i, blocks);
        memcpy(bank + RECIPROCALS_90 + 4 * i, &part, sizeof part);
        put32(bank + CLUSTERS_90 + 4 * i, launch->grid[i] / blocks);
    }
}

static void fill_driver_area(const struct exec_grid *grid, uint8_t *bank)
{
    const struct simsm_launch *launch = &grid->launch;
    for (size_t i = 0; i < 3; i++) {
        put32(bank + BLOCK_SIZE + 4 * i, launch->block[i]);
        put32(bank + GRID_SIZE + 4 * i, launch->grid[i]);
    }
    put64(bank + SHARED_WINDOW, EXEC_SHARED_WINDOW);
    put64(bank + LOCAL_WINDOW, EXEC_LOCAL_WINDOW);
    put32(bank + STACK_POINTER, grid->local_bytes);
    put32(bank + SHARED_DYNAMIC, launch->shared_dynamic);
    put32(bank + SM_COUNT, grid->sms);
    put64(bank + (grid->sm >= 90 ? CONSTANTS_90 : CONSTANTS_75), grid->module->constants);
    if (grid->sm >= 90) {
        put64(bank + BANK_90, EXEC_PARAMETER_WINDOW - grid->kernel->param_base);
        put64(bank + PARAMETERS_90, EXEC_PARAMETER_WINDOW);
        fill_cluster_area(launch, bank);
    }
    /* %envreg1 and %envreg2 are the high and low word of the address of the grid barrier's
     * workspace. */
    uint8_t *environment = bank + (grid->sm >= 90 ? ENVIRONMENT_90 : ENVIRONMENT_75);
    if (grid->options.cooperative) {
        put32(environment + 4, (uint32_t)(grid->module->workspace >> 32));
        put32(environment + 8, (uint32_t)grid->module->workspace);
    }
}

bool exec_reads_workspace(const struct exec_grid *grid, const struct sass_inst *sass)
{
    const uint32_t first = (grid->sm >= 90 ? ENVIRONMENT_90 : ENVIRONMENT_75) + 4;
    for (size_t i = 0; i < SASS_ROLES; i++) {
        const struct sass_operand *operand = &sass->operand[i];
        if (operand->kind == SASS_CONSTANT && operand->bank == 0 && operand->value >= first &&
            operand->value < first + 8)
            return true;
    }
    return false;
}

enum simsm_status exec_constants_make(struct exec_grid *grid, const void *params,
                                      struct simsm_error *error)
{
    const struct sass_kernel *kernel = grid->kernel;
    const struct sass_module *module = grid->module->module;
    enum { BANK = 65536 };
    grid->constant0 = calloc(1, BANK);
    if (!grid->constant0)
        return err_no_memory(error);
    if (kernel->constant0_bytes > BANK || kernel->param_base > BANK ||
        kernel->param_bytes > BANK - kernel->param_base)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: parameters at 0x%x to 0x%x of constant bank 0, which has 64 KiB",
                       kernel->name, kernel->param_base, kernel->param_base + kernel->param_bytes);
    if (kernel->constant0_bytes)
        memcpy(grid->constant0, kernel->constant0, kernel->constant0_bytes);
    fill_driver_area(grid, grid->constant0);
    if (kernel->param_bytes)
        memcpy(grid->constant0 + kernel->param_base, params, kernel->param_bytes);
    grid->bank[0] = (struct exec_bank){grid->constant0, BANK};
    grid->bank[2] = (struct exec_bank){kernel->constant2, kernel->constant2_bytes};
    grid->bank[3] = (struct exec_bank){grid->module->constant3, module->constant3_bytes};
    grid->bank[4] = (struct exec_bank){grid->module->constant4, module->constant4_bytes};
    return SIMSM_OK;
}
