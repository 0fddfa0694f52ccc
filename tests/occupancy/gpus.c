#include "occupancy/gpus.h"

#define VOLTA    0, 8, 16, 32, 64, 96
#define TURING   32, 64
#define AMPERE   0, 8, 16, 32, 64, 100, 132, 164
#define CONSUMER 0, 8, 16, 32, 64, 100
#define HOPPER   0, 8, 16, 32, 64, 100, 132, 164, 196, 228

/* clang-format off */
const struct gpu gpus[] = {
    { 60, 64, 32,  64,  48, 65536,    0, 256, 2, {64}},
    { 61, 64, 32,  96,  48, 65536,    0, 256, 4, {96}},
    { 62, 64, 32,  64,  48, 32768,    0, 256, 4, {64}},
    { 70, 64, 32,  96,  96, 65536,    0, 256, 4, {VOLTA}},
    { 72, 64, 32,  96,  96, 65536,    0, 256, 4, {VOLTA}},
    { 75, 32, 16,  64,  64, 65536,    0, 256, 4, {TURING}},
    { 80, 64, 32, 164, 163, 65536, 1024, 128, 4, {AMPERE}},
    { 86, 48, 16, 100,  99, 65536, 1024, 128, 4, {CONSUMER}},
    { 87, 48, 16, 164, 163, 65536, 1024, 128, 4, {AMPERE}},
    { 89, 48, 24, 100,  99, 65536, 1024, 128, 4, {CONSUMER}},
    { 90, 64, 32, 228, 227, 65536, 1024, 128, 4, {HOPPER}},
    {100, 64, 32, 228, 227, 65536, 1024, 128, 4, {HOPPER}},
    {101, 48, 24, 228, 227, 65536, 1024, 128, 4, {HOPPER}},
    {103, 64, 32, 228, 227, 65536, 1024, 128, 4, {HOPPER}},
    {110, 48, 24, 228, 227, 65536, 1024, 128, 4, {HOPPER}},
    {120, 48, 24, 100,  99, 65536, 1024, 128, 4, {CONSUMER}},
    {121, 48, 24, 100,  99, 65536, 1024, 128, 4, {CONSUMER}},
    {0},
};
/* clang-format on */

unsigned gpu_carveouts(const struct gpu *gpu)
{
    unsigned count = 1;
    for (unsigned i = 0; gpu->carveouts_kib[i] != gpu->shared_kib; i++)
        count++;
    return count;
}

void gpu_config(const struct gpu *gpu, struct simsm_config *config)
{
    *config = (struct simsm_config){
        .gpu_compute_capability = gpu->capability,
        .sm_sub_partitions = gpu->sub_partitions,
        .sm_warp_slots = gpu->warps,
        .sm_max_blocks = gpu->blocks,
        .sm_max_threads = gpu->warps * 32,
        .sm_max_threads_per_block = 1024,
        .sm_registers = 65536,
        .sm_registers_per_block = gpu->registers_per_block,
        .sm_max_registers_per_thread = 255,
        .sm_register_unit = 256,
        .sm_warp_unit = gpu->sub_partitions,
        .sm_shared_bytes = gpu->shared_kib * 1024,
        .sm_shared_per_block = 48 * 1024,
        .sm_shared_per_block_optin = gpu->optin_kib * 1024,
        .sm_shared_reserved = gpu->reserved,
        .sm_shared_unit = gpu->unit,
        .sm_carveout_policy = SIMSM_LARGEST_carveout_policy,
    };
    config->sm_carveouts_count = gpu_carveouts(gpu);
    for (unsigned i = 0; i < config->sm_carveouts_count; i++)
        config->sm_carveouts[i] = gpu->carveouts_kib[i] * 1024;
}
