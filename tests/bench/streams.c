/*
 * The speed of packing instruction streams and of unpacking them, on one core: the warps of the
 * first blocks of a trace, over and over. Prints
 *     kernel, bytes for each instruction, million instructions packed and unpacked in a CPU second
 * Unpacking includes the addresses of every memory instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "front/front.h"
#include "front/packed_warp.h"
#include "input/front_open.h"
#include "model/op.h"

enum {
    MOST = 1 << 13
}; /* few enough for the caches: an executor does not wait for memory either */

struct step {
    struct warp_inst inst;
    struct lane_addresses addresses;
};

static struct step *steps;
static size_t count;
static uint64_t seen;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool has_addresses(const struct front *front, const struct warp_inst *inst)
{
    return inst->exec && op_is_memory((enum simsm_op_class)front->code[inst->index].op);
}

/* Steps of warps until there are enough; the last warp may be cut. As an executor would give them:
 * addresses lane by lane. */
static void collect(const struct front *front, void *cursor)
{
    for (uint64_t b = 0; b < simsm_grid_blocks(&front->launch); b++) {
        for (uint32_t w = 0; w < simsm_block_warps(&front->launch); w++) {
            struct warp_inst inst = {0};
            front->ops->warp_begin(front, cursor, b, w);
            while (!(inst.flags & WARP_INST_LAST)) {
                if (count == MOST)
                    return;
                struct step *step = &steps[count++];
                front->ops->warp_next(front, cursor, &inst);
                step->inst = inst;
                if (!has_addresses(front, &inst))
                    continue;
                front->ops->addresses(front, cursor, &inst, &step->addresses);
                for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
                    step->addresses.lane[l] = lane_address(&step->addresses, l);
                step->addresses.affine = false;
            }
        }
    }
}

static void pack(const struct front *front, struct byte_buffer *out)
{
    struct packed_writer writer;
    out->size = 0;
    packed_writer_begin(&writer, front->code, out);
    for (size_t i = 0; i < count; i++)
        packed_put(&writer, &steps[i].inst, &steps[i].addresses);
    packed_writer_end(&writer);
}

static void unpack(const struct front *front, const struct byte_buffer *bytes)
{
    struct packed_reader reader;
    struct warp_inst inst;
    struct lane_addresses addresses;
    packed_reader_begin(&reader, front->code, front->code_size, bytes->data, bytes->size);
    while (packed_next(&reader, &inst)) {
        seen += inst.exec;
        if (!has_addresses(front, &inst))
            continue;
        packed_addresses(&reader, &inst, &addresses);
        seen += addresses.affine ? addresses.base : addresses.lane[31];
    }
}

static void measure(const struct front *front, double seconds)
{
    struct byte_buffer bytes = {0};
    double packing = 0, unpacking = 0, rounds = 0;
    while (packing + unpacking < seconds) {
        double begin = cpu_seconds();
        pack(front, &bytes);
        double middle = cpu_seconds();
        unpack(front, &bytes);
        packing += middle - begin;
        unpacking += cpu_seconds() - middle;
        rounds++;
    }
    double million = rounds * (double)count / 1e6;
    (void)printf("%-10s %10.3f %14.1f %16.1f\n", front->launch.name,
                 (double)bytes.size / (double)count, million / packing, million / unpacking);
    buffer_free(&bytes);
}

/* False, with a message: the trace cannot be measured. */
static bool measure_trace(const char *path, double seconds)
{
    struct simsm_error error;
    struct front *front;
    char message[1200];
    if (front_open(&front, path, NULL, NULL, &error) != SIMSM_OK) {
        (void)fprintf(stderr, "%s\n", simsm_error_text(&error, message, sizeof message));
        return false;
    }
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    if (cursor) {
        count = 0;
        collect(front, cursor);
        measure(front, seconds);
    }
    free(cursor);
    front_close(front);
    return cursor != NULL;
}

int main(int argc, char **argv)
{
    double seconds = argc > 2 ? atof(argv[1]) : 0;
    if (seconds <= 0) {
        (void)fprintf(stderr, "usage: bench_streams SECONDS TRACE...\n");
        return 2;
    }
    steps = malloc(MOST * sizeof *steps);
    bool good = steps;
    for (int i = 2; i < argc && good; i++)
        good = measure_trace(argv[i], seconds);
    free(steps);
    return seen == 1 || !good; /* the sum is used, so that no work is left out */
}
