/*
 * Tables of functions that simsm's libcudart and NVIDIA's runtimes and libraries ask the driver
 * for, by UUID (cuGetExportTable). NVIDIA does not document those of its libraries. What their
 * entries do was learned from ZLUDA (dark_api), and by recording what programs ask of a driver
 * (580.159.04 with an H200) and what it answers; docs/driver.md describes each. Entries that no
 * program was seen to call refuse.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/abi/runtime_table.h"
#include "cuda/driver/context.h"
#include "cuda/driver/context_storage.h"
#include "cuda/driver/driver.h"
#include "cuda/driver/integrity.h"

typedef void entry(void);

int cuGetExportTable(const void **table, const void *id);
int cuDriverGetVersion(int *version);
int cuDeviceGetUuid_v2(void *uuid, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuStreamGetId(void *stream, unsigned long long *number);
int cuCtxGetCurrent(void **context);
int cuModuleLoadFatBinary(void **module, const void *image);
int cuModuleGetFunctionCount(unsigned *count, void *module);
int cuModuleEnumerateFunctions(void **functions, unsigned count, void *module);

enum table {
    TABLE_RUNTIME,
    TABLE_RUNTIME_ERRORS,
    TABLE_CALLBACKS,
    TABLE_CONTEXT_STORAGE,
    TABLE_CURRENT,
    TABLE_CONTEXT_CHECKS,
    TABLE_INTEGRITY,
    TABLE_CONTEXTS,
    TABLE_LAYOUT,
    TABLE_MODULES,
    TABLE_TOOLS,
    TABLES
};

/* CUPTI takes a table of so few entries for that of a driver too old for it. */
enum { TOOLS_ENTRIES = 64, ENTRIES_MOST = 128 };
static entry *table_entries[TABLES][ENTRIES_MOST]; /* filled once */

/* Code that object files of a program bring along; older runtimes load it by this. */
static int load_fatbin(const void *fatbin, void **module)
{
    return cuModuleLoadFatBinary(module, fatbin);
}

static int ignored(void)
{
    return DRIVER_SUCCESS;
}

/* The tables of tools: CUPTI finds that it cannot work here, where without a table it would ask for
 * ever. */
static int unsupported(void)
{
    return DRIVER_NOT_SUPPORTED;
}

/* Room in which tools note which calls they want to hear of: nobody does. */
static void callback_flags(void **buffer, size_t *count)
{
    static uint32_t flags[1024];
    *buffer = flags;
    *count = sizeof flags / sizeof flags[0];
}

static void callback_domains(void **buffer, size_t *count)
{
    static uint32_t domains[14];
    *buffer = domains;
    *count = sizeof domains / sizeof domains[0];
}

/* Whether a context is of a kind that the runtime must not use: none is. */
static int check_context(const void *context, uint32_t *found, const void **more)
{
    (void)context;
    (void)more;
    *found = 0;
    return DRIVER_SUCCESS;
}

/* The number of a context; `context` NULL: the current one. */
static int number_of_context(void *context, uint64_t *number)
{
    *number = context_number(context);
    return *number ? DRIVER_SUCCESS : DRIVER_INVALID_CONTEXT;
}

/* The stream that a handle stands for; `stream` NULL: the thread's own, or the legacy stream. */
static int stream_of(const void *context, void *stream, void **found, int per_thread)
{
    void *const legacy = (void *)1, *const own = (void *)2; /* CU_STREAM_LEGACY, _PER_THREAD */
    (void)context;
    *found = stream ? stream : per_thread ? own : legacy;
    return DRIVER_SUCCESS;
}

static int number_of_stream(const void *context, void *stream, unsigned long long *number)
{
    (void)context;
    return cuStreamGetId(stream, number);
}

/*
 * Calls back for each function of a module. Returns how many there are: cuFFT, whose modules have
 * one, takes 1 for success.
 */
static int each_function(const void *context, void *module,
                         void (*found)(void *data, void *function), void *data)
{
    unsigned count = 0;
    (void)context;
    if (cuModuleGetFunctionCount(&count, module) != DRIVER_SUCCESS)
        return 0;
    void **functions = calloc(count + 1, sizeof *functions);
    if (!functions || cuModuleEnumerateFunctions(functions, count, module) != DRIVER_SUCCESS)
        count = 0;
    for (unsigned i = 0; i < count; i++)
        found(data, functions[i]);
    free(functions);
    return (int)count;
}

static struct integrity_device signed_device(void)
{
    enum { DOMAIN = 50, BUS = 33, DEVICE = 34 }; /* CU_DEVICE_ATTRIBUTE_PCI_* */
    struct integrity_device device = {0};
    (void)cuDeviceGetUuid_v2(device.uuid, 0);
    (void)cuDeviceGetAttribute(&device.pci_domain, DOMAIN, 0);
    (void)cuDeviceGetAttribute(&device.pci_bus, BUS, 0);
    (void)cuDeviceGetAttribute(&device.pci_device, DEVICE, 0);
    return device;
}

static int answer(uint32_t version, uint64_t unix_seconds, void *out)
{
    enum { KINDS = 10 }; /* versions that end with 0 and 1 are answered by constants */
    static const uint64_t constant[][2] = {{0x3341181C03CB675C, 0x8ED383AA1F4CD1E8},
                                           {0x1841181C03CB675C, 0x8ED383AA1F4CD1E8}};
    if (version % KINDS < sizeof constant / sizeof constant[0]) {
        memcpy(out, constant[version % KINDS], sizeof constant[0]);
        return DRIVER_SUCCESS;
    }
    int driver = 0;
    const struct integrity_device device = signed_device();
    (void)cuDriverGetVersion(&driver);
    const struct integrity_message message = {.driver_version = (uint32_t)driver,
                                              .version = version,
                                              .process = (uint32_t)getpid(),
                                              .thread = (uint32_t)pthread_self(),
                                              .runtime_table = table_entries[TABLE_RUNTIME],
                                              .integrity_table = table_entries[TABLE_INTEGRITY],
                                              .function = table_entries[TABLE_INTEGRITY][1],
                                              .unix_seconds = unix_seconds};
    integrity_answer(&message, &device, 1, out);
    return DRIVER_SUCCESS;
}

/* `count`: entries, with the size in bytes at their beginning, or a null at their end. */
static const struct {
    uint8_t id[16];
    unsigned count;
    bool without_size;
} tables[TABLES] = {[TABLE_RUNTIME] = {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87,
                                        0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
                                       13,
                                       false},
                    [TABLE_RUNTIME_ERRORS] = {{0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9,
                                               0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9},
                                              3,
                                              false},
                    [TABLE_CALLBACKS] = {{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93,
                                          0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66},
                                         7,
                                         false},
                    [TABLE_CONTEXT_STORAGE] = {{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11,
                                                0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93},
                                               4,
                                               true},
                    [TABLE_CURRENT] = {{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98,
                                        0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc},
                                       3,
                                       false},
                    [TABLE_CONTEXT_CHECKS] = {{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92,
                                               0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e},
                                              15,
                                              false},
                    [TABLE_INTEGRITY] = {{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d,
                                          0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1, 0xf2},
                                         3,
                                         false},
                    [TABLE_CONTEXTS] = {{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6,
                                         0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2},
                                        93,
                                        false},
                    [TABLE_LAYOUT] = {{0x17, 0x34, 0xdc, 0x26, 0x80, 0x0d, 0x47, 0x45, 0x87, 0x26,
                                       0xc0, 0xf1, 0xe7, 0xdd, 0x8b, 0xca},
                                      17,
                                      false},
                    [TABLE_MODULES] = {{0x6e, 0x16, 0x3f, 0xbe, 0xb9, 0x58, 0x44, 0x4d, 0x83, 0x5c,
                                        0xe1, 0x82, 0xaf, 0xf1, 0x99, 0x1e},
                                       99,
                                       false},
                    [TABLE_TOOLS] = {{0x7c, 0xb6, 0x3f, 0x9b, 0x9c, 0xa4, 0x8e, 0x42, 0xa4, 0x84,
                                      0xbe, 0xb6, 0x6e, 0x6a, 0xed, 0x7f},
                                     TOOLS_ENTRIES,
                                     false}};

/* The entries that programs were seen to call, and those that ZLUDA describes. */
static const struct {
    enum table table;
    unsigned index;
    entry *function;
} known[] = {
#define KNOWN(table, index, function)                                                              \
    {                                                                                              \
        TABLE_##table, index, (entry *)(function)                                                  \
    }
    KNOWN(RUNTIME, 1, cuModuleLoadFatBinary),
    KNOWN(RUNTIME, 2, cuDevicePrimaryCtxRetain),
    KNOWN(RUNTIME, 6, cuModuleLoadFatBinary),
    KNOWN(RUNTIME, 7, ignored),
    KNOWN(RUNTIME, 8, load_fatbin),
    KNOWN(RUNTIME, 12, ignored),       /* makes the compilers ready */
    KNOWN(RUNTIME_ERRORS, 1, ignored), /* called when a call of the runtime returns an error */
    KNOWN(RUNTIME_ERRORS, 2, ignored),
    KNOWN(CALLBACKS, 2, callback_flags),
    KNOWN(CALLBACKS, 6, callback_domains),
    KNOWN(CONTEXT_STORAGE, 0, context_storage_put),
    KNOWN(CONTEXT_STORAGE, 1, context_storage_delete),
    KNOWN(CONTEXT_STORAGE, 2, context_storage_get),
    KNOWN(CURRENT, 2, cuCtxGetCurrent),
    KNOWN(CONTEXT_CHECKS, 2, check_context),
    KNOWN(CONTEXT_CHECKS, 3, ignored),
    KNOWN(INTEGRITY, 1, answer),
    KNOWN(CONTEXTS, 4, number_of_context), /* cuBLASLt */
    KNOWN(CONTEXTS, 39, number_of_stream), /* cuBLAS, for its room of each stream */
    KNOWN(CONTEXTS, 51, stream_of),
    KNOWN(LAYOUT, 4, unsupported),    /* cuBLASLt asks where SMs lie, and goes without */
    KNOWN(MODULES, 7, each_function), /* cuFFT */
#undef KNOWN
};

static int refuse(void)
{
    (void)fputs("simsm: the program calls a function of the driver that has no name and that simsm "
                "does not know (docs/driver.md)\n",
                stderr);
    return DRIVER_NOT_SUPPORTED;
}

static void fill_tables(void)
{
    for (size_t t = 0; t < TABLES; t++) {
        entry **table = table_entries[t];
        const unsigned count = tables[t].count;
        for (unsigned i = 0; i < count; i++)
            table[i] = (entry *)(t == TABLE_TOOLS ? unsupported : refuse);
        table[tables[t].without_size ? count - 1 : 0] =
            tables[t].without_size ? NULL : (entry *)(uintptr_t)(count * sizeof(entry *));
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        table_entries[known[i].table][known[i].index] = known[i].function;
}

int cuGetExportTable(const void **table, const void *id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!table || !id)
        return DRIVER_INVALID_VALUE;
    (void)pthread_once(&once, fill_tables);
    *table = memcmp(id, RUNTIME_TABLE_ID, sizeof RUNTIME_TABLE_ID) == 0 ? &runtime_table : NULL;
    for (size_t i = 0; i < TABLES; i++)
        if (memcmp(tables[i].id, id, sizeof tables[i].id) == 0)
            *table = table_entries[i];
    return *table ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}
