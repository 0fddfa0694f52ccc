/* A CUDA program in a test: its environment, and a fatbin around a cubin as nvcc would register. */
#ifndef TESTS_UNIT_CUDA_FIXTURE_H
#define TESTS_UNIT_CUDA_FIXTURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/abi.h"
#include "cuda/runtime.h"

enum cuda_error cudaMalloc(void **pointer, size_t size);
enum cuda_error cudaFree(void *pointer);
enum cuda_error cudaMemcpy(void *dst, const void *src, size_t bytes, int kind);
enum cuda_error cudaMemset(void *dst, int value, size_t count);
enum cuda_error cudaDeviceSynchronize(void);
enum cuda_error cudaGetLastError(void);
enum cuda_error cudaPeekAtLastError(void);
enum cuda_error cudaLaunchKernel(const void *stub, struct cuda_dim3 grid, struct cuda_dim3 block,
                                 void **arguments, size_t shared, void *cursor);
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name,
                            int thread_limit, void *tid, void *bid, struct cuda_dim3 *block,
                            struct cuda_dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int ext,
                       size_t size, int constant, int global);

/* Begins a program on the configuration; setting is a "VARIABLE=value" or NULL. */
static inline void program_begin(const char *config, const char *variable, const char *value)
{
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++)
        (void)unsetenv(option_rows[id].variable);
    (void)setenv("SIMSM_CONFIG", config, 1);
    (void)setenv("SIMSM_QUIET", "1", 1);
    if (variable)
        (void)setenv(variable, value, 1);
    rt_reset_for_test();
}

struct test_fatbin {
    uint32_t magic, version;
    const void *data;
    void *further;
    uint8_t *bytes;
};

/* The fatbin with one image for `sm`, of a kind as fatbins number them; free fatbin->bytes. False:
 * the file cannot be read. */
static inline bool fatbin_make_of(struct test_fatbin *fatbin, uint16_t kind, const char *path,
                                  uint32_t sm)
{
    enum { HEAD = 16, ENTRY = 64 };
    const uint32_t container[4] = {0xba55ed50, 1u | HEAD << 16, 0, 0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    static uint8_t text[1 << 20];
    uint64_t size = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    uint64_t payload = (size + 7) / 8 * 8, all = ENTRY + payload;
    uint8_t *bytes = calloc(1, HEAD + all);
    if (!bytes)
        return false;
    memcpy(bytes, container, sizeof container);
    memcpy(bytes + 8, &all, sizeof all);
    const uint32_t entry_bytes = ENTRY;
    memcpy(bytes + HEAD, &kind, sizeof kind);
    memcpy(bytes + HEAD + 4, &entry_bytes, sizeof entry_bytes);
    memcpy(bytes + HEAD + 8, &payload, sizeof payload);
    memcpy(bytes + HEAD + 28, &sm, sizeof sm);
    memcpy(bytes + HEAD + ENTRY, text, size);
    *fatbin = (struct test_fatbin){0x466243b1, 1, bytes, NULL, bytes};
    return true;
}

static inline bool fatbin_make(struct test_fatbin *fatbin, const char *cubin, uint32_t sm)
{
    enum { CUBIN = 2 };
    return fatbin_make_of(fatbin, CUBIN, cubin, sm);
}

#endif
