/*
 * NVTX: the functions of libnvToolsExt.so.1, and InitializeInjectionNvtx2, by which programs that
 * contain NVTX 3 as headers use the same functions. Ranges are kept; marks and names of categories,
 * threads and handles are ignored.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "cuda/nvtx/range_list.h"

/* Our own definition of nvtxEventAttributes_t, as far as it is read. */
struct nvtx_event {
    uint16_t version, size;
    uint32_t category;
    int32_t colour_type;
    uint32_t colour;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *wide;
        const struct nvtx_string *registered;
    } message;
};

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE, MESSAGE_REGISTERED };

/* A registered string. Lives as long as the process. */
struct nvtx_string {
    char *text;
};

enum { NAME = 256 };

/* Converts wide characters to UTF-8, whatever the locale. */
static const char *narrow(const wchar_t *text, char room[NAME])
{
    size_t used = 0;
    for (; text && *text && used + 5 < NAME; text++) {
        const uint32_t c = (uint32_t)*text;
        static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
        const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        room[used++] = (char)(lead[more] | (c >> (6 * more)));
        for (unsigned i = more; i-- > 0;)
            room[used++] = (char)(0x80 | (c >> (6 * i) & 0x3f));
    }
    room[used] = '\0';
    return room;
}

static const char *name_of(const struct nvtx_event *event, char room[NAME])
{
    static const char none[] = "(no name)";
    const char *name = NULL;
    if (event && event->size >= sizeof *event && event->message.ascii) {
        if (event->message_type == MESSAGE_ASCII)
            name = event->message.ascii;
        else if (event->message_type == MESSAGE_WIDE)
            name = narrow(event->message.wide, room);
        else if (event->message_type == MESSAGE_REGISTERED)
            name = event->message.registered->text;
    }
    return name ? name : none;
}

/* Returns the depth of the range, from 0. */
static int push(const struct range_domain *domain, const char *name)
{
    (void)range_list_open(domain, name ? name : "", true);
    return range_list_depth(domain) - 1;
}

static void *registered(const char *text)
{
    struct nvtx_string *string = malloc(sizeof *string);
    if (string && !(string->text = strdup(text ? text : ""))) {
        free(string);
        string = NULL;
    }
    return string;
}

/* The functions that keep ranges, under their names in the library. */
int nvtxRangePushEx(const struct nvtx_event *event);
int nvtxRangePushA(const char *name);
int nvtxRangePushW(const wchar_t *name);
int nvtxRangePop(void);
uint64_t nvtxRangeStartEx(const struct nvtx_event *event);
uint64_t nvtxRangeStartA(const char *name);
uint64_t nvtxRangeStartW(const wchar_t *name);
void nvtxRangeEnd(uint64_t range);
int nvtxDomainRangePushEx(const struct range_domain *domain, const struct nvtx_event *event);
int nvtxDomainRangePop(const struct range_domain *domain);
uint64_t nvtxDomainRangeStartEx(const struct range_domain *domain, const struct nvtx_event *event);
void nvtxDomainRangeEnd(const struct range_domain *domain, uint64_t range);
void *nvtxDomainCreateA(const char *name);
void *nvtxDomainCreateW(const wchar_t *name);
void *nvtxDomainRegisterStringA(const struct range_domain *domain, const char *text);
void *nvtxDomainRegisterStringW(const struct range_domain *domain, const wchar_t *text);

int nvtxRangePushEx(const struct nvtx_event *event)
{
    return nvtxDomainRangePushEx(NULL, event);
}

int nvtxRangePushA(const char *name)
{
    return push(NULL, name);
}

int nvtxRangePushW(const wchar_t *name)
{
    char room[NAME];
    return push(NULL, narrow(name, room));
}

int nvtxRangePop(void)
{
    return nvtxDomainRangePop(NULL);
}

uint64_t nvtxRangeStartEx(const struct nvtx_event *event)
{
    return nvtxDomainRangeStartEx(NULL, event);
}

uint64_t nvtxRangeStartA(const char *name)
{
    return range_list_open(NULL, name ? name : "", false);
}

uint64_t nvtxRangeStartW(const wchar_t *name)
{
    char room[NAME];
    return range_list_open(NULL, narrow(name, room), false);
}

void nvtxRangeEnd(uint64_t range)
{
    range_list_end(range);
}

int nvtxDomainRangePushEx(const struct range_domain *domain, const struct nvtx_event *event)
{
    char room[NAME];
    return push(domain, name_of(event, room));
}

/* Returns the depth of the range that ends, from 0; -1 if none is open. */
int nvtxDomainRangePop(const struct range_domain *domain)
{
    const int depth = range_list_depth(domain) - 1;
    range_list_pop(domain);
    return depth;
}

uint64_t nvtxDomainRangeStartEx(const struct range_domain *domain, const struct nvtx_event *event)
{
    char room[NAME];
    return range_list_open(domain, name_of(event, room), false);
}

void nvtxDomainRangeEnd(const struct range_domain *domain, uint64_t range)
{
    (void)domain;
    range_list_end(range);
}

void *nvtxDomainCreateA(const char *name)
{
    struct range_domain *domain = malloc(sizeof *domain);
    if (domain && !(domain->name = strdup(name ? name : ""))) {
        free(domain);
        domain = NULL;
    }
    return domain;
}

void *nvtxDomainCreateW(const wchar_t *name)
{
    char room[NAME];
    return nvtxDomainCreateA(narrow(name, room));
}

void *nvtxDomainRegisterStringA(const struct range_domain *domain, const char *text)
{
    (void)domain;
    return registered(text);
}

void *nvtxDomainRegisterStringW(const struct range_domain *domain, const wchar_t *text)
{
    char room[NAME];
    (void)domain;
    return registered(narrow(text, room));
}

/* Functions of the library that do nothing here. Their arguments are passed in registers, so that
 * none need be declared; a returned 0 is a handle that is never dereferenced. */
#define IGNORED(name)                                                                              \
    void *name(void);                                                                              \
    void *name(void)                                                                               \
    {                                                                                              \
        return NULL;                                                                               \
    }
#include "cuda/nvtx/nvtx_ignored.def"
#undef IGNORED

/* What a program with NVTX 3 passes to the library: the places of its function pointers. */
typedef void nvtx_function(void);
struct nvtx_callbacks {
    size_t size;
    int (*functions_of)(int module, nvtx_function ****table, unsigned *size);
};
typedef const void *nvtx_export_table(uint32_t id);
int InitializeInjectionNvtx2(nvtx_export_table *export_table);

enum { EXPORT_CALLBACKS = 1, MODULE_CORE = 1, MODULE_DOMAINS = 5 };

static const struct {
    int module;
    unsigned place; /* as NVTX numbers the functions of the module */
    nvtx_function *function;
} functions[] = {
#define FUNCTION(module, place, name)                                                              \
    {                                                                                              \
        MODULE_##module, place, (nvtx_function *)(name)                                            \
    }
    FUNCTION(CORE, 4, nvtxRangeStartEx),
    FUNCTION(CORE, 5, nvtxRangeStartA),
    FUNCTION(CORE, 6, nvtxRangeStartW),
    FUNCTION(CORE, 7, nvtxRangeEnd),
    FUNCTION(CORE, 8, nvtxRangePushEx),
    FUNCTION(CORE, 9, nvtxRangePushA),
    FUNCTION(CORE, 10, nvtxRangePushW),
    FUNCTION(CORE, 11, nvtxRangePop),
    FUNCTION(DOMAINS, 2, nvtxDomainRangeStartEx),
    FUNCTION(DOMAINS, 3, nvtxDomainRangeEnd),
    FUNCTION(DOMAINS, 4, nvtxDomainRangePushEx),
    FUNCTION(DOMAINS, 5, nvtxDomainRangePop),
    FUNCTION(DOMAINS, 10, nvtxDomainRegisterStringA),
    FUNCTION(DOMAINS, 11, nvtxDomainRegisterStringW),
    FUNCTION(DOMAINS, 12, nvtxDomainCreateA),
    FUNCTION(DOMAINS, 13, nvtxDomainCreateW),
#undef FUNCTION
};

/* Called by the first NVTX function of a program, which NVTX_INJECTION64_PATH leads here. Returns 1
 * if the program's NVTX functions lead here from now on. */
int InitializeInjectionNvtx2(nvtx_export_table *export_table)
{
    const struct nvtx_callbacks *callbacks = export_table(EXPORT_CALLBACKS);
    if (!callbacks || callbacks->size < sizeof *callbacks)
        return 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        nvtx_function ***table = NULL;
        unsigned size = 0;
        if (callbacks->functions_of(functions[i].module, &table, &size) && table &&
            functions[i].place < size && table[functions[i].place])
            *table[functions[i].place] = functions[i].function;
    }
    return 1;
}
