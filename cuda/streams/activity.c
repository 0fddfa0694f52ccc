/*
 * Writes what a program's kernels, copies and fills do on a GPU, and when, as Nsight Systems sees
 * it:
 *
 *     gcc -shared -fPIC -O2 -o activity.so activity.c -I$CUDA/include -L$CUDA/lib64 -lcupti
 *     ACTIVITY=FILE.csv CUDA_INJECTION64_PATH=$PWD/activity.so PROGRAM
 *
 * Rows of CSV: what, name, stream, begin and end in nanoseconds of one clock, bytes.
 */
#include <cupti.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFER = 8 << 20 };

static FILE *file;

static void CUPTIAPI give(uint8_t **buffer, size_t *size, size_t *records)
{
    *size = BUFFER;
    *records = 0;
    *buffer = aligned_alloc(8, BUFFER);
}

static void write_record(const CUpti_Activity *record)
{
    static const char *const kinds[] = {[1] = "to device", [2] = "to host", [8] = "within"};
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const CUpti_ActivityKernel9 *k = (const CUpti_ActivityKernel9 *)record;
        fprintf(file, "kernel,\"%s\",%u,%llu,%llu,0\n", k->name, k->streamId,
                (unsigned long long)k->start, (unsigned long long)k->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy5 *c = (const CUpti_ActivityMemcpy5 *)record;
        const char *kind = c->copyKind < 9 && kinds[c->copyKind] ? kinds[c->copyKind] : "other";
        fprintf(file, "copy,%s,%u,%llu,%llu,%llu\n", kind, c->streamId,
                (unsigned long long)c->start, (unsigned long long)c->end,
                (unsigned long long)c->bytes);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const CUpti_ActivityMemset4 *f = (const CUpti_ActivityMemset4 *)record;
        fprintf(file, "fill,fill,%u,%llu,%llu,%llu\n", f->streamId, (unsigned long long)f->start,
                (unsigned long long)f->end, (unsigned long long)f->bytes);
    }
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                          size_t valid)
{
    CUpti_Activity *record = NULL;
    (void)context;
    (void)stream;
    (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        write_record(record);
    free(buffer);
}

static void finish(void)
{
    cuptiActivityFlushAll(1);
    fclose(file);
}

/* The driver calls it when it is initialised. */
int InitializeInjection(void)
{
    const char *path = getenv("ACTIVITY");
    file = fopen(path ? path : "activity.csv", "w");
    if (!file)
        return 0;
    fputs("what,name,stream,begin,end,bytes\n", file);
    cuptiActivityRegisterCallbacks(give, take);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    atexit(finish);
    return 1;
}
