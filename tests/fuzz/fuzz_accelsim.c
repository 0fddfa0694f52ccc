/* A trace of Accel-Sim: converted, and all instructions of a few warps produced. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelsim/accelsim.h"

enum { WARPS = 4 };

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static char path[] = "/tmp/simsm-fuzz-XXXXXX";

static void remove_file(void)
{
    (void)unlink(path);
}

/* The front reads files: the input goes to one. */
static void write_input(const uint8_t *data, size_t size)
{
    static FILE *file;
    if (!file) {
        int descriptor = mkstemp(path);
        file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
        (void)atexit(remove_file);
    }
    check(file != NULL, "no temporary file");
    rewind(file);
    check(fwrite(data, 1, size, file) == size && fflush(file) == 0 &&
              ftruncate(fileno(file), (off_t)size) == 0,
          "the temporary file cannot be written");
}

/* Checks what every instruction sequence guarantees to the core. */
static void run_warp(const struct front *front, void *cursor, uint64_t block, uint32_t warp)
{
    struct warp_inst inst = {0};
    struct lane_addresses addresses;
    front->ops->warp_begin(front, cursor, block, warp);
    while (!(inst.flags & WARP_INST_LAST)) {
        front->ops->warp_next(front, cursor, &inst);
        check(inst.index < front->code_size, "an instruction that does not exist");
        check(inst.active != 0, "no lane is active");
        check((inst.exec & ~inst.active) == 0, "a lane executes that is not active");
        if (front->code[inst.index].width && inst.exec)
            front->ops->addresses(front, cursor, &inst, &addresses);
    }
    check(front->code[inst.index].op == SIMSM_OP_EXIT, "a warp ends without EXIT");
    front_warp_end(front, cursor);
}

static void run(const struct front *front)
{
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint32_t warps = simsm_block_warps(&front->launch);
    struct simsm_error error;
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    check(cursor != NULL, "out of memory");
    check(blocks > 0 && warps > 0 && warps <= 32, "an impossible launch");
    for (uint32_t i = 0; i < WARPS; i++)
        run_warp(front, cursor, i % 2 ? blocks - 1 : 0, i / 2 ? warps - 1 : 0);
    check(front_status(front, &error) == SIMSM_OK, "the converted trace cannot be read back");
    free(cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct front *front = NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    (void)accelsim_probe(data, size);
    write_input(data, size);
    enum simsm_status status = accelsim_open(&front, path, NULL, NULL, &error);
    if (status == SIMSM_OK) {
        run(front);
        check(!front->warnings || front->warnings[0] != '\0', "an empty warning");
        front_close(front);
    } else {
        check(error.status == status && error.message[0] != '\0', "refused without a reason");
    }
    return 0;
}
