/*
 * Streams write values and wait for them (cuStreamWriteValue32 and so on). "later": a stream waits
 * for a value that the program writes afterwards, as with --concurrent. "right": nothing that
 * `simsm check` could find. "threads": another thread brings the value, and the program ends
 * without waiting for its work.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct op {
    int type;
    unsigned fence; /* flags of a barrier */
    uint64_t address, value;
    unsigned flags;
    uint64_t alias, room;
};

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuMemAlloc_v2(uint64_t *pointer, size_t size);
int cuMemFree_v2(uint64_t pointer);
int cuMemHostAlloc(void **pointer, size_t size, unsigned flags);
int cuMemcpyDtoH_v2(void *dst, uint64_t src, size_t size);
int cuMemcpyDtoDAsync_v2(uint64_t dst, uint64_t src, size_t size, void *stream);
int cuMemsetD8Async(uint64_t dst, unsigned char value, size_t count, void *stream);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamSynchronize(void *stream);
int cuStreamQuery(void *stream);
int cuStreamWaitValue32_v2(void *stream, uint64_t address, uint32_t value, unsigned flags);
int cuStreamWaitValue64_v2(void *stream, uint64_t address, uint64_t value, unsigned flags);
int cuStreamWriteValue32_v2(void *stream, uint64_t address, uint32_t value, unsigned flags);
int cuStreamWriteValue64_v2(void *stream, uint64_t address, uint64_t value, unsigned flags);
int cuStreamBatchMemOp_v2(void *stream, unsigned count, const struct op *list, unsigned flags);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphLaunch(void *exec, void *stream);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { GEQ, EQ, AND, NOR, INVALID = 1 };
enum { WAIT_32 = 1, WRITE_32, FLUSH, WAIT_64, WRITE_64, BARRIER };

static uint64_t value_at(uint64_t address)
{
    uint64_t value = 0;
    CHECK(cuMemcpyDtoH_v2(&value, address, sizeof value) == 0);
    return value;
}

static void check_values(void *stream, uint64_t at)
{
    CHECK(cuStreamWriteValue64_v2(stream, at, 0x1122334455667788, 0) == 0);
    CHECK(cuStreamWriteValue32_v2(stream, at, 0xfffffff0, 0) == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0xffffffe0, GEQ) == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0xfffffff0, EQ) == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0x10, AND) == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0x7, NOR) == 0);
    CHECK(cuStreamWaitValue64_v2(stream, at, 0x11223344fffffff0, EQ) == 0);
    CHECK(cuStreamSynchronize(stream) == 0 && value_at(at) == 0x11223344fffffff0);
    /* a cyclic comparison: 0x80000000 is behind 0x7fffffff */
    CHECK(cuStreamWriteValue32_v2(stream, at, 0x80000000, 0) == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0x7fffffff, GEQ) == 0);
    CHECK(cuStreamSynchronize(stream) == 0);
}

static void check_errors(void *stream, uint64_t at)
{
    uint32_t own = 0;
    const struct op half_wrong[] = {{WRITE_32, 0, at, 5, 0, 0, 0}, {9, 0, at, 0, 0, 0, 0}};
    CHECK(cuStreamWriteValue32_v2(stream, at + 2, 0, 0) == INVALID);
    CHECK(cuStreamWriteValue64_v2(stream, at + 4, 0, 0) == INVALID);
    CHECK(cuStreamWriteValue32_v2(stream, (uintptr_t)&own, 1, 0) == INVALID && own == 0);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0, 4) == INVALID);
    CHECK(cuStreamWaitValue32_v2(stream, at, 0, 1 << 30) == 801);
    CHECK(cuStreamWriteValue32_v2(stream, at, 0, 1) == INVALID);
    CHECK(cuStreamBatchMemOp_v2(stream, 2, half_wrong, 0) == INVALID);
    CHECK(cuStreamSynchronize(stream) == 0 && (uint32_t)value_at(at) != 5);
}

static void check_batch(void *stream, uint64_t at)
{
    void *graph, *exec;
    const struct op list[] = {{WRITE_32, 0, at, 0xdead0000000a, 0, 0, 0},
                              {WAIT_32, 0, at, 10, EQ, 0, 0},
                              {BARRIER, 0, 0, 0, 0, 0, 0},
                              {WRITE_64, 0, at + 8, UINT64_MAX, 0, 0, 0},
                              {WAIT_64, 0, at + 8, 1, AND, 0, 0}};
    CHECK(cuStreamWriteValue64_v2(stream, at, 0, 0) == 0);
    CHECK(cuStreamBeginCapture_v2(stream, 0) == 0);
    CHECK(cuStreamBatchMemOp_v2(stream, 5, list, 0) == 0);
    CHECK(cuStreamEndCapture(stream, &graph) == 0);
    CHECK(value_at(at) == 0);
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0 && cuGraphLaunch(exec, stream) == 0);
    CHECK(cuStreamSynchronize(stream) == 0);
    CHECK(value_at(at) == 10 && value_at(at + 8) == UINT64_MAX);
}

/* The first stream waits for the second, which waits for the program. */
static void check_order(void *const stream[2], uint64_t at)
{
    volatile uint32_t *flag;
    void *pinned;
    CHECK(cuMemHostAlloc(&pinned, sizeof *flag, 2) == 0);
    flag = pinned;
    *flag = 0;
    CHECK(cuMemsetD8Async(at, 0, 16, stream[0]) == 0 && cuStreamSynchronize(stream[0]) == 0);
    CHECK(cuStreamWaitValue32_v2(stream[0], at, 1, EQ) == 0);
    CHECK(cuMemsetD8Async(at + 8, 7, 1, stream[0]) == 0);
    CHECK(cuStreamWaitValue32_v2(stream[1], (uintptr_t)flag, 1, EQ) == 0);
    CHECK(cuStreamWriteValue32_v2(stream[1], at, 1, 0) == 0);
    CHECK(cuStreamQuery(stream[0]) == 600 && cuStreamQuery(stream[1]) == 600);
    *flag = 1;
    CHECK(cuStreamSynchronize(stream[0]) == 0 && cuStreamQuery(stream[1]) == 0);
    CHECK(value_at(at) == 1 && value_at(at + 8) == 7);
    CHECK(cuStreamWaitValue32_v2(stream[0], at, 2, EQ) == 0); /* does not come */
    CHECK(cuStreamSynchronize(stream[0]) == 801);
}

/* A stream reads what another one has written, after it has waited for its flag. */
static void check_handing_over(void *const stream[2], uint64_t at)
{
    uint64_t data, copy, flag = at;
    CHECK(cuMemAlloc_v2(&data, 8) == 0 && cuMemAlloc_v2(&copy, 8) == 0);
    CHECK(cuStreamWriteValue32_v2(stream[0], flag, 0, 0) == 0);
    CHECK(cuMemsetD8Async(data, 3, 8, stream[0]) == 0);
    CHECK(cuStreamWriteValue32_v2(stream[0], flag, 1, 0) == 0);
    CHECK(cuStreamWaitValue32_v2(stream[1], flag, 1, EQ) == 0);
    CHECK(cuMemcpyDtoDAsync_v2(copy, data, 8, stream[1]) == 0);
    CHECK(cuStreamSynchronize(stream[1]) == 0 && value_at(copy) == 0x0303030303030303);
    CHECK(cuMemFree_v2(data) == 0 && cuMemFree_v2(copy) == 0 && cuMemFree_v2(at) == 0);
}

struct writer {
    void *context, *stream;
    uint64_t at;
};

static void *write_one(void *data)
{
    const struct writer *writer = data;
    CHECK(cuCtxSetCurrent(writer->context) == 0);
    CHECK(cuStreamWriteValue32_v2(writer->stream, writer->at, 1, 0) == 0);
    return NULL;
}

static void check_threads(void *const stream[2], uint64_t at)
{
    pthread_t thread;
    struct writer writer = {NULL, stream[1], at};
    CHECK(cuDevicePrimaryCtxRetain(&writer.context, 0) == 0);
    CHECK(cuStreamWriteValue32_v2(stream[0], at, 0, 0) == 0 && cuStreamSynchronize(stream[0]) == 0);
    CHECK(pthread_create(&thread, NULL, write_one, &writer) == 0);
    CHECK(cuStreamWaitValue32_v2(stream[0], at, 1, EQ) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    void *stream[2];
    uint64_t at;
    const char *mode = argc > 1 ? argv[1] : "";
    CHECK(cuInit(0) == 0 && cuMemAlloc_v2(&at, 64) == 0);
    CHECK(cuStreamCreate(&stream[0], 1) == 0 && cuStreamCreate(&stream[1], 1) == 0);
    check_values(stream[0], at);
    if (strcmp(mode, "right") == 0) {
        check_handing_over(stream, at);
    } else if (strcmp(mode, "threads") == 0) {
        check_threads(stream, at);
    } else {
        check_errors(stream[0], at);
        check_batch(stream[0], at);
        if (strcmp(mode, "later") == 0)
            check_order(stream, at);
        else
            CHECK(cuStreamWaitValue32_v2(stream[0], at, 2, EQ) == 801); /* does not come */
    }
    printf("%s memory_ops\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
