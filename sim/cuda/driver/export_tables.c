/*
 * Tables of functions that NVIDIA's runtimes and libraries ask the driver for, by UUID
 * (cuGetExportTable). NVIDIA does not document them. What their entries do was learned from ZLUDA
 * (dark_api), and by recording what programs ask of a driver (580.159.04 with an H200) and what it
 * answers; docs/driver.md describes each. Entries that no program was seen to call refuse.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
int cuCtxGetCurrent(void **context);
int cuModuleLoadFatBinary(void **module, const void *image);

static int refuse(const char *table)
{
    (void)fprintf(stderr,
                  "simsm: the program calls a function of the driver that has no name and that "
                  "simsm does not know, of the table '%s' (docs/driver.md)\n",
                  table);
    return DRIVER_NOT_SUPPORTED;
}

/* Defines refuse_NAME(), the entry of a table for functions that no program was seen to call. */
#define REFUSAL(name)                                                                              \
    static int refuse_##name(void)                                                                 \
    {                                                                                              \
        return refuse(#name);                                                                      \
    }

REFUSAL(runtime)
REFUSAL(runtime_callbacks)
REFUSAL(current)
REFUSAL(context_checks)
REFUSAL(contexts)

/* A table begins with its size in bytes. */
#define SIZE(entries) ((entry *)(uintptr_t)((entries) * sizeof(entry *)))
#define ENTRY(function) ((entry *)(function))

/* Code that object files of a program bring along; older runtimes load it by these. */
static int load_wrapper(void **module, const void *wrapper)
{
    return cuModuleLoadFatBinary(module, wrapper);
}

static int load_fatbin(const void *fatbin, void **module)
{
    return cuModuleLoadFatBinary(module, fatbin);
}

static int primary_context(void **context, int device)
{
    return cuDevicePrimaryCtxRetain(context, device);
}

static int ignored(void)
{
    return DRIVER_SUCCESS;
}

#define NONE(name) ENTRY(refuse_##name)

static entry *const runtime_table[] = {SIZE(13),
                                       ENTRY(load_wrapper),
                                       ENTRY(primary_context),
                                       NONE(runtime),
                                       NONE(runtime),
                                       NONE(runtime),
                                       ENTRY(load_wrapper),
                                       ENTRY(ignored),
                                       ENTRY(load_fatbin),
                                       NONE(runtime),
                                       NULL,
                                       NONE(runtime),
                                       ENTRY(ignored)};

/* Called when a call of the runtime returns an error: tools may hear of it. */
static entry *const runtime_errors_table[] = {SIZE(3), ENTRY(ignored), ENTRY(ignored)};

/* Room in which tools note which calls they want to hear of: nobody does. */
static void callback_flags(void **buffer, size_t *size)
{
    static uint32_t flags[1024];
    *buffer = flags;
    *size = sizeof flags / sizeof flags[0];
}

static void callback_domains(void **buffer, size_t *size)
{
    static uint32_t domains[14];
    *buffer = domains;
    *size = sizeof domains / sizeof domains[0];
}

static entry *const runtime_callbacks_table[] = {SIZE(7),
                                                 NONE(runtime_callbacks),
                                                 ENTRY(callback_flags),
                                                 NONE(runtime_callbacks),
                                                 NONE(runtime_callbacks),
                                                 NONE(runtime_callbacks),
                                                 ENTRY(callback_domains)};

/* This table has no size; a null ends it. */
static entry *const context_storage_table[] = {ENTRY(context_storage_put),
                                               ENTRY(context_storage_delete),
                                               ENTRY(context_storage_get), NULL};

static entry *const current_table[] = {SIZE(3), NONE(current), ENTRY(cuCtxGetCurrent)};

/* Whether a context is of a kind that the runtime must not use: none is. */
static int check_context(const void *context, uint32_t *found, const void **more)
{
    (void)context;
    (void)more;
    *found = 0;
    return DRIVER_SUCCESS;
}

static entry *const context_checks_table[] = {SIZE(15),
                                              NONE(context_checks),
                                              ENTRY(check_context),
                                              ENTRY(ignored),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks),
                                              NONE(context_checks)};

/* The number of a context; `context` NULL: the current one. cuBLASLt asks. */
static int number_of_context(void *context, uint64_t *number)
{
    *number = context_number(context);
    return *number ? DRIVER_SUCCESS : DRIVER_INVALID_CONTEXT;
}

enum { CONTEXTS_ENTRIES = 93, CONTEXTS_NUMBER = 4 };
static entry *contexts_table[CONTEXTS_ENTRIES]; /* filled once */

static int answer(uint32_t version, uint64_t unix_seconds, void *out);

static entry *const integrity_table[] = {SIZE(3), ENTRY(answer), ENTRY(ignored)};

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
                                              .runtime_table = runtime_table,
                                              .integrity_table = integrity_table,
                                              .function = integrity_table[1],
                                              .unix_seconds = unix_seconds};
    integrity_answer(&message, &device, 1, out);
    return DRIVER_SUCCESS;
}

static void fill_contexts_table(void)
{
    contexts_table[0] = SIZE(CONTEXTS_ENTRIES);
    for (size_t i = 1; i < CONTEXTS_ENTRIES; i++)
        contexts_table[i] = NONE(contexts);
    contexts_table[CONTEXTS_NUMBER] = ENTRY(number_of_context);
}

/*
 * Which part of the GPU each SM belongs to. cuBLASLt asks for it, and goes without when it gets an
 * error.
 */
static int refuse_layout(void)
{
    return DRIVER_NOT_SUPPORTED;
}

static entry *const layout_table[] = {SIZE(8),          ENTRY(refuse_layout), ENTRY(refuse_layout),
                                      ENTRY(refuse_layout), ENTRY(refuse_layout),
                                      ENTRY(refuse_layout), ENTRY(refuse_layout),
                                      ENTRY(refuse_layout)};

static const struct {
    uint8_t id[16];
    entry *const *table;
} tables[] = {
    {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d,
      0xf9},
     runtime_table},
    {{0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d,
      0xd9},
     runtime_errors_table},
    {{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a,
      0x66},
     runtime_callbacks_table},
    {{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95,
      0x93},
     context_storage_table},
    {{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec,
      0xdc},
     current_table},
    {{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa,
      0x7e},
     context_checks_table},
    {{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1,
      0xf2},
     integrity_table},
    {{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8,
      0xf2},
     contexts_table},
    {{0x17, 0x34, 0xdc, 0x26, 0x80, 0x0d, 0x47, 0x45, 0x87, 0x26, 0xc0, 0xf1, 0xe7, 0xdd, 0x8b,
      0xca},
     layout_table}};

int cuGetExportTable(const void **table, const void *id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!table || !id)
        return DRIVER_INVALID_VALUE;
    (void)pthread_once(&once, fill_contexts_table);
    *table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (memcmp(tables[i].id, id, sizeof tables[i].id) == 0)
            *table = tables[i].table;
    return *table ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}
