/*
 * Blocks of host memory that the device reaches: mapped at fixed addresses, registered with the
 * device memory.
 */
#include "cuda/host_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/err.h"

/*
 * Address hint of the first block. With it, the same program gets the same addresses in every run.
 */
static const uintptr_t first_hint = UINT64_C(0x300000000000);

struct host_memory {
    struct device_memory *memory;
    struct host_block *block;
    size_t count, room;
    unsigned made; /* number of blocks ever added, for their names */
    int zero;      /* file descriptor of /dev/zero */
    uint64_t page;
    uintptr_t hint;
};

enum simsm_status host_memory_create(struct host_memory **host, struct device_memory *memory,
                                     struct simsm_error *error)
{
    struct host_memory *made = calloc(1, sizeof *made);
    *host = NULL;
    if (!made)
        return err_no_memory(error);
    made->memory = memory;
    made->page = (uint64_t)sysconf(_SC_PAGESIZE);
    made->hint = first_hint;
    made->zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    if (made->zero < 0) {
        free(made);
        return err_set(error, SIMSM_FAILED, "host memory: /dev/zero cannot be opened");
    }
    *host = made;
    return SIMSM_OK;
}

static void release(struct host_memory *host, const struct host_block *block)
{
    const bool known = device_unmap(host->memory, (uintptr_t)block->address);
    SIMSM_CHECK(known, "host memory at %p of %llu bytes is not registered with the device",
                block->address, (unsigned long long)block->size);
    free(block->page);
    if (block->mapped)
        (void)munmap(block->address, block->mapped);
}

void host_memory_destroy(struct host_memory *host)
{
    if (!host)
        return;
    for (size_t i = 0; i < host->count; i++)
        release(host, &host->block[i]);
    (void)close(host->zero);
    free(host->block);
    free(host);
}

/* Registers a block with the device memory and appends it to the list. Returns false on failure. */
static bool add(struct host_memory *host, const struct host_block *block)
{
    static const char *const names[] = {"cudaMallocManaged", "cudaMallocHost", "cudaHostRegister"};
    if (host->count == host->room) {
        size_t room = host->room ? 2 * host->room : 16;
        void *list = realloc(host->block, room * sizeof *host->block);
        if (!list)
            return false;
        host->block = list;
        host->room = room;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "%s #%u", names[block->kind], host->made + 1);
    const uint64_t address = (uintptr_t)block->address;
    if (!device_map(host->memory, address, block->address, block->size, name))
        return false;
    host->made++;
    host->block[host->count++] = *block;
    return true;
}

void *host_memory_new(struct host_memory *host, uint64_t size, enum host_kind kind, unsigned flags)
{
    if (size == 0 || size > UINT64_C(1) << 43)
        return NULL;
    uint64_t mapped = (size + host->page - 1) / host->page * host->page;
    /*
     * The hint is one page behind the end of the previous block; the page between the blocks is
     * unmapped, so that overruns fault.
     */
    void *address =
        mmap((void *)host->hint, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE, host->zero, 0);
    if (address == MAP_FAILED)
        return NULL;
    const struct host_block block = {address, size, mapped, kind, flags, NULL};
    if (!add(host, &block)) {
        (void)munmap(address, mapped);
        return NULL;
    }
    host->hint += mapped + host->page;
    return address;
}

bool host_memory_register(struct host_memory *host, void *address, uint64_t size, unsigned flags)
{
    const struct host_block block = {address, size, 0, HOST_REGISTERED, flags, NULL};
    return add(host, &block);
}

const struct host_block *host_memory_find(const struct host_memory *host, const void *address)
{
    for (size_t i = 0; i < host->count; i++) {
        if ((uintptr_t)address - (uintptr_t)host->block[i].address < host->block[i].size)
            return &host->block[i];
    }
    return NULL;
}

bool host_memory_has(const struct host_memory *host, enum host_kind kind)
{
    bool has = false;
    for (size_t i = 0; i < host->count && !has; i++)
        has = host->block[i].kind == kind;
    return has;
}

bool host_memory_free(struct host_memory *host, void *address, enum host_kind kind)
{
    for (size_t i = 0; i < host->count; i++) {
        if (host->block[i].address != address || host->block[i].kind != kind)
            continue;
        release(host, &host->block[i]);
        host->block[i] = host->block[--host->count];
        return true;
    }
    return false;
}

size_t host_memory_count(const struct host_memory *host)
{
    return host->count;
}

struct host_block *host_memory_block(const struct host_memory *host, size_t index)
{
    SIMSM_CHECK(index < host->count, "block %zu of %zu", index, host->count);
    return &host->block[index];
}
