/* Messages for wrong accesses to memory: the nearest allocation, and what the mistake may be. */
#include <stdio.h>

#include "exec/control/fault.h"
#include "exec/memory/load_store.h"
#include "sanitize/sanitizer.h"

/* Addresses where Linux maps the stack and libraries of a program, and its heap if the program is
 * position independent. */
static const uint64_t host_first = UINT64_C(0x500000000000), host_end = UINT64_C(0x800000000000);

/* Addresses below this are taken for members or elements behind a null pointer. */
static const uint64_t null_end = 1 << 16;

/* An allocation that is further away than this, in bytes, is not named. */
static const uint64_t near_enough = UINT64_C(1) << 30;

static const char *kind_of(const struct exec_inst *inst)
{
    return inst->mod[ACCESS_WRITES] ? "write" : "read";
}

/* Writes where an address lies relative to an allocation; it lies inside only if the allocation was
 * freed. Returns false if the allocation is too far away. */
static bool near_allocation(const struct device_allocation *near, uint64_t address, char *text,
                            size_t size)
{
    uint64_t first = near->address, bytes = near->size;
    bool before = address < first, inside = !before && address - first < bytes;
    uint64_t far = before   ? first - address
                   : inside ? address - first
                            : address - first - bytes + 1;
    if (far > near_enough && !inside)
        return false;
    (void)snprintf(text, size, "%s %llu bytes %s %s\"%s\" of %llu bytes at 0x%llx",
                   near->freed && inside ? ": use after free," : " and is", (unsigned long long)far,
                   before   ? "before"
                   : inside ? "into"
                            : "after",
                   near->freed ? "the freed "
                   : inside    ? ""
                               : "the nearest allocation ",
                   near->name, (unsigned long long)bytes, (unsigned long long)first);
    return true;
}

/* Lets the sanitizer name the calls to which an allocation belongs. */
static void show_calls(const struct exec_warp *warp, const struct device_allocation *near)
{
    struct sanitizer *sanitizer = warp->block->grid->options.sanitizer;
    if (sanitizer)
        sanitizer->named = (struct finding_memory){{.stack = near->made_by},
                                                   {.stack = near->freed ? near->freed_by : 0}};
}

void exec_fault_global_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address)
{
    const struct device_allocation *near = device_nearest(warp->block->grid->memory, address);
    char where[200] = "; nothing is allocated near it";
    if (address >> 32 == (EXEC_LOCAL_WINDOW >> 32) + 1) { /* the stack has grown below 0 */
        exec_fault_local_bounds(warp, inst, lane, address - EXEC_LOCAL_WINDOW);
        return;
    }
    if (address == 0)
        (void)snprintf(where, sizeof where, ": a null pointer");
    else if (address < null_end)
        (void)snprintf(where, sizeof where, ": %u bytes behind a null pointer", (unsigned)address);
    else if (near && near_allocation(near, address, where, sizeof where))
        show_calls(warp, near);
    else if (address >= host_first && address < host_end)
        (void)snprintf(where, sizeof where,
                       ": it belongs to the host program; kernels need memory from cudaMalloc or "
                       "cudaMallocManaged");
    else if (!near)
        (void)snprintf(where, sizeof where, "; nothing has been allocated");
    exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
               "Invalid __global__ %s of size %u bytes: address 0x%llx is out of bounds%s",
               kind_of(inst), inst->mod[ACCESS_BYTES], (unsigned long long)address, where);
}

void exec_fault_misaligned(const struct exec_warp *warp, const struct exec_inst *inst,
                           uint32_t lane, const char *space, uint64_t address)
{
    exec_fault(warp, inst, lane, EXEC_FAILURE_ALIGNMENT,
               "Invalid __%s__ %s of size %u bytes: address 0x%llx is misaligned", space,
               kind_of(inst), inst->mod[ACCESS_BYTES], (unsigned long long)address);
}

void exec_fault_shared_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address)
{
    const struct exec_grid *grid = warp->block->grid;
    exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
               "Invalid __shared__ %s of size %u bytes: address 0x%llx is out of bounds, the block "
               "has [0x%x, 0x%x)",
               kind_of(inst), inst->mod[ACCESS_BYTES], (unsigned long long)address,
               grid->shared_first, grid->shared_bytes);
}

void exec_fault_local_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                             uint32_t lane, uint64_t offset)
{
    const struct exec_grid *grid = warp->block->grid;
    uint32_t bytes = inst->mod[ACCESS_BYTES];
    if ((uint32_t)offset != offset || offset > INT32_MAX) /* the stack grows down to offset 0 */
        exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                   "Invalid __local__ %s of size %u bytes: stack overflow, a thread has %u bytes; "
                   "give more with cudaDeviceSetLimit(cudaLimitStackSize, BYTES), or stack: in a "
                   "launch file",
                   kind_of(inst), bytes, grid->local_bytes);
    else
        exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                   "Invalid __local__ %s of size %u bytes: address 0x%llx is out of bounds, a "
                   "thread has %u bytes",
                   kind_of(inst), bytes, (unsigned long long)offset, grid->local_bytes);
}
