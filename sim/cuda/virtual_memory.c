#define _GNU_SOURCE /* memfd_create, MAP_NORESERVE */
/*
 * MODEL: a reserved range is as many inaccessible addresses of the host; memory is a file in
 * memory, whose pages come into being, zero, when they are touched; a mapping is a mapping of the
 * file there.
 * SOURCE: what an H200 maps and refuses (driver 580.159.04, tests/data/cuda/virtual.c).
 * LEFT OUT: where on the device the memory lies; kernels write also where they may only read.
 */
#include "cuda/virtual_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between device memory and managed memory; Linux maps nothing of its own here. */
#define VIRTUAL_BASE UINT64_C(0x280000000000)
#define VIRTUAL_END  UINT64_C(0x300000000000)

struct physical_memory {
    struct physical_memory *next;
    uint64_t size;
    unsigned handles, mappings; /* that refer to it */
    uint32_t handle_types;
    bool counted; /* among the device's memory in use; not what another process has created */
    int file;
};

struct mapping {
    struct mapping *next; /* at the next higher address */
    struct virtual_mapping at;
};

struct range {
    struct range *next; /* at the next higher address */
    uint64_t address, size;
    uint8_t *host; /* of `address`; NULL: taken by virtual_take */
    struct mapping *mapping;
};

static struct range *ranges;
static struct physical_memory *physicals;

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Returns where the link to the range behind `size` free bytes at `at` is; NULL: they are not. */
static struct range **gap_at(uint64_t at, uint64_t size)
{
    struct range **link = &ranges;
    while (*link && (*link)->address + (*link)->size <= at)
        link = &(*link)->next;
    const uint64_t end = *link ? (*link)->address : VIRTUAL_END;
    return at >= VIRTUAL_BASE && at < end && size <= end - at ? link : NULL;
}

/* Returns the first free address for the range; 0 if there is none. */
static uint64_t first_gap(uint64_t size, uint64_t alignment)
{
    uint64_t at = round_up(VIRTUAL_BASE, alignment);
    for (const struct range *range = ranges; range && !gap_at(at, size); range = range->next)
        at = round_up(range->address + range->size, alignment);
    return gap_at(at, size) ? at : 0;
}

/* Adds a range where a gap is. Returns false if memory is short. */
static bool add_range(uint64_t address, uint64_t size, uint8_t *host)
{
    struct range *range = malloc(sizeof *range);
    struct range **link = gap_at(address, size);
    if (!range)
        return false;
    *range = (struct range){.next = *link, .address = address, .size = size, .host = host};
    *link = range;
    return true;
}

uint64_t virtual_reserve(uint64_t size, uint64_t alignment, uint64_t hint)
{
    alignment = alignment > VIRTUAL_GRANULE ? alignment : VIRTUAL_GRANULE;
    const bool wanted = hint && hint % alignment == 0 && gap_at(hint, size);
    const uint64_t address = wanted ? hint : first_gap(size, alignment);
    if (!address)
        return 0;
    void *host = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return 0;
    if (add_range(address, size, host))
        return address;
    (void)munmap(host, size);
    return 0;
}

uint64_t virtual_take(uint64_t size)
{
    size = round_up(size, VIRTUAL_GRANULE);
    const uint64_t address = first_gap(size, VIRTUAL_GRANULE);
    return address && add_range(address, size, NULL) ? address : 0;
}

/* Removes the range that begins at `address`: one that was `taken`, or one of the program and of
 * this size. */
static bool remove_range(uint64_t address, uint64_t size, bool taken)
{
    struct range **link = &ranges;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct range *range = *link;
    if (!range || range->mapping || (range->host == NULL) != taken ||
        (!taken && range->size != size))
        return false;
    if (range->host)
        (void)munmap(range->host, range->size);
    *link = range->next;
    free(range);
    return true;
}

bool virtual_release(uint64_t address, uint64_t size)
{
    return remove_range(address, size, false);
}

bool virtual_give_back(uint64_t address)
{
    return remove_range(address, 0, true);
}

static struct physical_memory *add(int file, uint64_t size, uint32_t handle_types, bool counted)
{
    struct physical_memory *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (struct physical_memory){.next = physicals,
                                     .size = size,
                                     .handles = 1,
                                     .handle_types = handle_types,
                                     .counted = counted,
                                     .file = file};
    physicals = made;
    return made;
}

struct physical_memory *physical_create(struct device_memory *memory, uint64_t size,
                                        uint32_t handle_types)
{
    if (!device_take(memory, size))
        return NULL;
    const int file = memfd_create("device memory", MFD_CLOEXEC);
    struct physical_memory *made = NULL;
    if (file >= 0 && ftruncate(file, (off_t)size) == 0)
        made = add(file, size, handle_types, true);
    if (made)
        return made;
    if (file >= 0)
        (void)close(file);
    device_give_back(memory, size);
    return NULL;
}

struct physical_memory *physical_import(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size <= 0 ||
        (uint64_t)status.st_size % VIRTUAL_GRANULE != 0)
        return NULL;
    const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    struct physical_memory *made = own < 0 ? NULL : add(own, (uint64_t)status.st_size, 0, false);
    if (!made && own >= 0)
        (void)close(own);
    return made;
}

struct physical_memory *physical_find_mapped(const void *handle)
{
    struct physical_memory *physical = physicals;
    while (physical && physical != handle)
        physical = physical->next;
    return physical;
}

struct physical_memory *physical_find(const void *handle)
{
    struct physical_memory *physical = physical_find_mapped(handle);
    return physical && physical->handles ? physical : NULL;
}

/* Frees the memory if nothing refers to it any more. */
static void free_unused(struct device_memory *memory, struct physical_memory *physical)
{
    if (physical->handles || physical->mappings)
        return;
    struct physical_memory **link = &physicals;
    while (*link != physical)
        link = &(*link)->next;
    *link = physical->next;
    if (physical->counted)
        device_give_back(memory, physical->size);
    (void)close(physical->file);
    free(physical);
}

void physical_release(struct device_memory *memory, struct physical_memory *physical)
{
    physical->handles--;
    free_unused(memory, physical);
}

uint64_t physical_size(const struct physical_memory *physical)
{
    return physical->size;
}

uint32_t physical_handle_types(const struct physical_memory *physical)
{
    return physical->handle_types;
}

int physical_export(const struct physical_memory *physical)
{
    return fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
}

/* Returns the range that has all of these addresses; NULL if there is none. */
static struct range *range_of(uint64_t address, uint64_t size)
{
    struct range *range = ranges;
    while (range && range->address + range->size <= address)
        range = range->next;
    if (!range || !range->host || address < range->address ||
        size > range->address + range->size - address)
        return NULL;
    return range;
}

/* Returns the link to the first mapping of the range that ends behind `address`. */
static struct mapping **mapping_from(struct range *range, uint64_t address)
{
    struct mapping **link = &range->mapping;
    while (*link && (*link)->at.address + (*link)->at.size <= address)
        link = &(*link)->next;
    return link;
}

bool virtual_map(uint64_t address, struct physical_memory *physical)
{
    const uint64_t size = physical->size;
    struct range *range = range_of(address, size);
    if (!range)
        return false;
    struct mapping **link = mapping_from(range, address);
    struct mapping *made = NULL;
    if (!*link || (*link)->at.address >= address + size)
        made = malloc(sizeof *made);
    if (!made)
        return false;
    uint8_t *host = range->host + (address - range->address);
    if (mmap(host, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical->file, 0) ==
        MAP_FAILED) {
        free(made);
        return false;
    }
    *made = (struct mapping){*link, {address, size, physical, VIRTUAL_NONE}};
    *link = made;
    physical->mappings++;
    return true;
}

/* Returns whether the addresses cut a mapping, from `mapping` on. */
static bool cut(const struct mapping *mapping, uint64_t address, uint64_t size)
{
    const uint64_t end = address + size;
    bool cuts = false;
    for (; mapping && mapping->at.address < end; mapping = mapping->next)
        cuts |= mapping->at.address < address || mapping->at.address + mapping->at.size > end;
    return cuts;
}

/* Tells the device of the range's reachable addresses: neighbours are one allocation. */
static void show_runs(struct device_memory *memory, const struct range *range)
{
    const struct mapping *mapping = range->mapping;
    while (mapping) {
        if (!mapping->at.access) {
            mapping = mapping->next;
            continue;
        }
        const uint64_t begin = mapping->at.address;
        uint64_t end = begin;
        for (; mapping && mapping->at.access && mapping->at.address == end; mapping = mapping->next)
            end += mapping->at.size;
        (void)device_map(memory, begin, range->host + (begin - range->address), end - begin,
                         "cuMemMap");
    }
}

static void hide_runs(struct device_memory *memory, const struct range *range)
{
    for (const struct mapping *mapping = range->mapping; mapping; mapping = mapping->next)
        (void)device_unmap(memory, mapping->at.address);
}

bool virtual_unmap(struct device_memory *memory, uint64_t address, uint64_t size)
{
    struct range *range = size ? range_of(address, 1) : NULL;
    if (!range)
        return false;
    const uint64_t left = range->address + range->size - address;
    size = size < left ? size : left;
    struct mapping **link = mapping_from(range, address);
    if (cut(*link, address, size))
        return false;
    hide_runs(memory, range);
    while (*link && (*link)->at.address < address + size) {
        struct mapping *gone = *link;
        *link = gone->next;
        gone->at.physical->mappings--;
        free_unused(memory, gone->at.physical);
        free(gone);
    }
    (void)mmap(range->host + (address - range->address), size, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    show_runs(memory, range);
    return true;
}

bool virtual_set_access(struct device_memory *memory, uint64_t address, uint64_t size,
                        enum virtual_access access)
{
    struct range *range = size ? range_of(address, size) : NULL;
    struct mapping *mapping = range ? *mapping_from(range, address) : NULL;
    if (!mapping || mapping->at.address != address || cut(mapping, address, size) ||
        !virtual_mapping_at(address + size - 1).physical)
        return false;
    hide_runs(memory, range);
    for (uint64_t at = address; mapping && mapping->at.address == at && at < address + size;
         mapping = mapping->next) {
        mapping->at.access = access;
        at += mapping->at.size;
    }
    show_runs(memory, range);
    return true;
}

bool virtual_is_read_only(uint64_t address, uint64_t size)
{
    struct range *range = range_of(address, size);
    const struct mapping *mapping = range ? *mapping_from(range, address) : NULL;
    while (mapping && mapping->at.address < address + size && mapping->at.access != VIRTUAL_READ)
        mapping = mapping->next;
    return mapping && mapping->at.address < address + size;
}

bool virtual_range_at(uint64_t at, uint64_t *address, uint64_t *size)
{
    const struct range *range = range_of(at, 1);
    if (!range)
        return false;
    *address = range->address;
    *size = range->size;
    return true;
}

struct virtual_mapping virtual_mapping_at(uint64_t address)
{
    struct range *range = range_of(address, 1);
    const struct mapping *mapping = range ? *mapping_from(range, address) : NULL;
    if (!mapping || address < mapping->at.address)
        return (struct virtual_mapping){0};
    return mapping->at;
}

struct physical_memory *virtual_retain(uint64_t address)
{
    struct physical_memory *physical = virtual_mapping_at(address).physical;
    if (physical)
        physical->handles++;
    return physical;
}

void virtual_destroy(void)
{
    while (ranges) {
        struct range *range = ranges;
        ranges = range->next;
        while (range->mapping) {
            struct mapping *mapping = range->mapping;
            range->mapping = mapping->next;
            free(mapping);
        }
        if (range->host)
            (void)munmap(range->host, range->size);
        free(range);
    }
    while (physicals) {
        struct physical_memory *physical = physicals;
        physicals = physical->next;
        (void)close(physical->file);
        free(physical);
    }
}
