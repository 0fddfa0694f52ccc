/* Functions of the device runtime that kernels call: vprintf, malloc, free, __assertfail, and those
 * about launches of kernels by kernels. */
#include "exec/control/externs.h"

#include <string.h>

#include "exec/control/fault.h"
#include "exec/memory/pending.h"
#include "exec/memory/undo.h"

/* Registers of the calling convention of compiled code: arguments from R4 on, a 64-bit argument in
 * an even pair; the result in R4; the return address in R20 and R21. */
enum { ARGUMENT = 4, RESULT = 4, RETURN = 20 };

static uint64_t read_pair(const struct exec_warp *warp, uint32_t row, uint32_t lane)
{
    return (uint64_t)warp->r[row + 1][lane] << 32 | warp->r[row][lane];
}

static void write_pair(struct exec_warp *warp, uint32_t row, uint32_t lane, uint64_t value)
{
    warp->r[row][lane] = (uint32_t)value;
    warp->r[row + 1][lane] = (uint32_t)(value >> 32);
}

static bool call_vprintf(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane)
{
    const struct exec_options *options = &warp->block->grid->options;
    char text[EXEC_PRINT_BYTES];
    size_t length;
    if (!options->print) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_OTHER,
                   "Call of printf: only programs that simsm run starts can print");
        return false;
    }
    int count = exec_format(warp, lane, read_pair(warp, ARGUMENT, lane),
                            read_pair(warp, ARGUMENT + 2, lane), text, &length);
    if (count < 0) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                   "Call of vprintf with an address that is out of bounds");
        return false;
    }
    options->print(options->print_context, text, length);
    warp->r[RESULT][lane] = (uint32_t)count;
    return true;
}

static bool call_malloc(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane)
{
    (void)inst;
    uint64_t size = read_pair(warp, ARGUMENT, lane);
    write_pair(warp, RESULT, lane, device_malloc(warp->block->grid->memory, size));
    return true;
}

static bool call_free(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane)
{
    struct exec_grid *grid = warp->block->grid;
    uint64_t address = read_pair(warp, ARGUMENT, lane);
    if (grid->undo)
        exec_undo_free(grid->undo, address);
    if (address && !device_free(grid->memory, address)) {
        const struct device_allocation *near = device_nearest(grid->memory, address);
        exec_fault(warp, inst, lane, EXEC_FAILURE_FREE, "Call of free with 0x%llx, which is %s",
                   (unsigned long long)address,
                   near && near->freed && near->address == address
                       ? "freed already"
                       : "no address that malloc returned");
        return false;
    }
    /* Instructions may remember the freed allocation. */
    memset(grid->span, 0, grid->steps * sizeof *grid->span);
    return true;
}

/*
 * Arguments: message in R4, file in R6, line in R8, function in R10, bytes of a character in R12.
 */
static bool call_assertfail(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane)
{
    char message[128] = "?", file[128] = "?", function[64] = "?";
    (void)exec_string(warp, lane, read_pair(warp, ARGUMENT, lane), message, sizeof message);
    (void)exec_string(warp, lane, read_pair(warp, ARGUMENT + 2, lane), file, sizeof file);
    (void)exec_string(warp, lane, read_pair(warp, ARGUMENT + 6, lane), function, sizeof function);
    exec_fault(warp, inst, lane, EXEC_FAILURE_ASSERTION, "Assertion `%s` failed in %s:%u, %s",
               message, file, warp->r[ARGUMENT + 4][lane], function);
    return false;
}

static const char device_calls[] = "__cuda_syscall_cnpv2"; /* prefix of names in libcudadevrt */

bool exec_is_device_call(const char *name)
{
    return strncmp(name, device_calls, sizeof device_calls - 1) == 0;
}

/* Calls a function about launches of kernels by kernels. */
static bool call_device_runtime(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                                const char *name)
{
    struct exec_grid *grid = warp->block->grid;
    const struct exec_options *options = &grid->options;
    struct exec_device_call call = {.name = name + sizeof device_calls - 1,
                                    .module = grid->module,
                                    .block = warp->block->index,
                                    .cycle = grid->pending ? grid->cycle : 0};
    for (unsigned i = 0; i < sizeof call.argument / sizeof call.argument[0]; i++)
        call.argument[i] = warp->r[ARGUMENT + i][lane];
    if (!options->device_call || !options->device_call(options->device_call_context, &call)) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_UNSUPPORTED,
                   "Call of %s, which is not supported (kernels that launch kernels: dynamic "
                   "parallelism)",
                   name);
        return false;
    }
    if (grid->pending)
        grid->pending->took = call.took;
    if (call.bytes) {
        uint8_t *to = exec_generic_bytes(warp, lane, read_pair(warp, ARGUMENT, lane), call.bytes);
        if (!to) {
            exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                       "Call of %s with an address that is out of bounds", name);
            return false;
        }
        memcpy(to, &call.stored, call.bytes);
    }
    if (call.wide)
        write_pair(warp, RESULT, lane, call.result);
    else
        warp->r[RESULT][lane] = (uint32_t)call.result;
    return true;
}

bool exec_call_extern(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                      const char *name, uint64_t *address)
{
    static const struct {
        const char *name;
        bool (*call)(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane);
    } table[] = {{"vprintf", call_vprintf},
                 {"malloc", call_malloc},
                 {"free", call_free},
                 {"__assertfail", call_assertfail}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) != 0)
            continue;
        *address = read_pair(warp, RETURN, lane);
        return table[i].call(warp, inst, lane);
    }
    if (exec_is_device_call(name)) {
        *address = read_pair(warp, RETURN, lane);
        return call_device_runtime(warp, inst, lane, name);
    }
    exec_fault(warp, inst, lane, EXEC_FAILURE_UNSUPPORTED, "Call of %s, which is not supported",
               name);
    return false;
}

uint8_t *exec_generic_bytes(const struct exec_warp *warp, uint32_t lane, uint64_t address,
                            uint64_t bytes)
{
    const struct exec_block *block = warp->block;
    const struct exec_grid *grid = block->grid;
    const uint64_t offset = address & UINT32_MAX, window = address - offset;
    uint64_t size = window == EXEC_LOCAL_WINDOW ? grid->local_bytes : grid->shared_bytes;
    if (window != EXEC_LOCAL_WINDOW && window != EXEC_SHARED_WINDOW)
        return device_pointer(grid->memory, address, bytes);
    if (offset > size || bytes > size - offset)
        return NULL;
    uint64_t thread = (uint64_t)warp->index * EXEC_LANES + lane;
    return window == EXEC_LOCAL_WINDOW ? block->local + thread * grid->local_bytes + offset
                                       : block->shared + offset;
}

bool exec_string(const struct exec_warp *warp, uint32_t lane, uint64_t address, char *text,
                 size_t size)
{
    struct pending *pending = warp->block->grid->pending;
    for (size_t i = 0; i < size; i++) {
        uint8_t *byte[EXEC_LANES];
        byte[lane] = exec_generic_bytes(warp, lane, address + i, 1);
        if (!byte[lane])
            return false;
        if (pending)
            pending_merge(pending, exec_lane_bit[lane], 1, byte);
        text[i] = (char)*byte[lane];
        if (!text[i])
            return true;
    }
    text[size - 1] = '\0';
    return true;
}
