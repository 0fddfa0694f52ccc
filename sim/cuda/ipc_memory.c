#define _GNU_SOURCE /* memfd_create, fallocate, F_OFD_SETLK */
/*
 * MODEL: one file in memory for each process that has exported memory, with the bytes of device
 * address DEVICE_BASE + n at offset n; whole pages of the host are shared. A handle says where the
 * kernel shows the file (/proc/PID/fd/FILE). A lock on one byte far behind the contents, at the
 * handle's number, says that the handle is valid; the lock goes with the file and its process.
 * SOURCE: what an H200 opens and refuses (driver 580.159.04, tests/data/cuda/ipc.c).
 * LEFT OUT: pages of 2 MiB, which small allocations of a GPU's process share. When the exporter
 * frees the memory, those who have opened it see zeros.
 */
#include "cuda/ipc_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/runtime.h"
#include "cuda/virtual_memory.h"

/* Where the locks of handles begin, behind all contents. */
#define LOCK_BASE (INT64_C(1) << 60)

/* What a handle of memory holds; the rest of it is zero. */
struct memory_ticket {
    char kind[8];
    int32_t process, file;
    uint64_t inode; /* of the file: another file may have its number later */
    uint64_t number;
    uint64_t offset, size; /* bytes */
};
_Static_assert(sizeof(struct memory_ticket) <= sizeof(struct cuda_ipc_handle), "a handle is full");

static const char ticket_kind[8] = "memory";

struct exported {
    struct exported *next;
    uint64_t address, number;
};

struct opened {
    struct opened *next;
    uint64_t inode, number; /* of its handle */
    uint64_t address, size; /* of the allocation */
    uint64_t taken;         /* address of its range */
    uint8_t *pages;         /* whole pages, on the host */
    uint64_t bytes;         /* of the pages */
    unsigned count;         /* how often it was opened and not closed */
};

static int own_file = -1; /* -1: no memory was exported */
static uint64_t last_number;
static struct exported *exported;
static struct opened *opened;

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sets or asks for the lock of a handle. `command`: F_OFD_SETLK or F_OFD_GETLK. */
static bool lock_of(int file, int command, short type, uint64_t number, struct flock *lock)
{
    *lock = (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_BASE + (off_t)number, .l_len = 1};
    return fcntl(file, command, lock) == 0;
}

static bool is_zero(const uint8_t *page, uint64_t bytes)
{
    return page[0] == 0 && memcmp(page, page + 1, bytes - 1) == 0;
}

/* Writes the pages to the file, with holes for those that are zero. */
static bool write_pages(const uint8_t *host, uint64_t offset, uint64_t bytes)
{
    const uint64_t page = page_bytes();
    bool good = true;
    for (uint64_t at = 0, end; at < bytes && good; at = end) {
        const bool zero = is_zero(host + at, page);
        end = at + page;
        while (end < bytes && is_zero(host + end, page) == zero)
            end += page;
        if (zero)
            good = fallocate(own_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                             (off_t)(offset + at), (off_t)(end - at)) == 0;
        for (uint64_t done = at; done < end && !zero && good;) {
            const ssize_t n = pwrite(own_file, host + done, end - done, (off_t)(offset + done));
            good = n > 0;
            done += good ? (uint64_t)n : 0;
        }
    }
    return good;
}

/* Puts the file in the place of the pages that have the allocation. */
static bool move_to_file(const struct device_span *span)
{
    const uint64_t from = (span->address - DEVICE_BASE) / page_bytes() * page_bytes();
    const uint64_t to = round_up(span->address + span->size - DEVICE_BASE, page_bytes());
    uint8_t *host = span->host - (span->address - DEVICE_BASE - from);
    return write_pages(host, from, to - from) &&
           mmap(host, to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, own_file,
                (off_t)from) != MAP_FAILED;
}

static bool open_own_file(const struct device_memory *memory)
{
    if (own_file >= 0)
        return true;
    own_file = memfd_create("device memory", MFD_CLOEXEC);
    if (own_file >= 0 && ftruncate(own_file, (off_t)device_address_bytes(memory)) == 0)
        return true;
    if (own_file >= 0)
        (void)close(own_file);
    own_file = -1;
    return false;
}

bool ipc_can_export(const struct device_memory *memory, uint64_t address)
{
    const struct device_allocation *found = device_nearest(memory, address);
    const bool there = found && !found->freed && address - found->address < found->size;
    return there && !found->host &&
           (strncmp(found->name, "cudaMalloc #", 12) == 0 ||
            strncmp(found->name, "cudaMallocPitch #", 17) == 0);
}

static struct exported *find_exported(uint64_t address)
{
    struct exported *item = exported;
    while (item && item->address != address)
        item = item->next;
    return item;
}

static struct exported *export_first(struct device_memory *memory, const struct device_span *span)
{
    struct exported *made = malloc(sizeof *made);
    struct flock lock;
    if (made && open_own_file(memory) && move_to_file(span) &&
        lock_of(own_file, F_OFD_SETLK, F_WRLCK, last_number + 1, &lock)) {
        *made = (struct exported){exported, span->address, ++last_number};
        return exported = made;
    }
    free(made);
    return NULL;
}

enum cuda_error ipc_export(struct device_memory *memory, uint64_t address,
                           struct cuda_ipc_handle *handle)
{
    struct stat status;
    if (!ipc_can_export(memory, address))
        return CUDA_INVALID_VALUE;
    const struct device_span span = device_span(memory, address);
    const struct exported *item = find_exported(span.address);
    if (!item)
        item = export_first(memory, &span);
    if (!item || fstat(own_file, &status) != 0)
        return rt_report(CUDA_MEMORY_ALLOCATION, "the memory cannot be moved into a shared file");
    struct memory_ticket ticket = {.process = getpid(),
                                   .file = own_file,
                                   .inode = status.st_ino,
                                   .number = item->number,
                                   .offset = span.address - DEVICE_BASE,
                                   .size = span.size};
    memcpy(ticket.kind, ticket_kind, sizeof ticket.kind);
    *handle = (struct cuda_ipc_handle){{0}};
    memcpy(handle, &ticket, sizeof ticket);
    return CUDA_SUCCESS;
}

void ipc_withdraw(struct device_memory *memory, uint64_t address)
{
    struct exported **link = &exported;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct exported *gone = *link;
    if (!gone)
        return;
    const struct device_span span = device_span(memory, address);
    const uint64_t from = round_up(span.address - DEVICE_BASE, page_bytes());
    const uint64_t to = (span.address + span.size - DEVICE_BASE) / page_bytes() * page_bytes();
    struct flock lock;
    (void)lock_of(own_file, F_OFD_SETLK, F_UNLCK, gone->number, &lock);
    if (from < to)
        (void)fallocate(own_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
                        (off_t)(to - from));
    *link = gone->next;
    free(gone);
}

/* Opens the file of a handle. Returns -1 if its process has ended or lets nobody look. */
static int open_file(const struct memory_ticket *ticket)
{
    char path[64];
    struct stat status;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)ticket->process, (int)ticket->file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || (fstat(file, &status) == 0 && status.st_ino == ticket->inode))
        return file;
    (void)close(file);
    return -1;
}

static bool is_valid(int file, const struct memory_ticket *ticket)
{
    struct flock lock;
    return lock_of(file, F_OFD_GETLK, F_WRLCK, ticket->number, &lock) && lock.l_type != F_UNLCK;
}

/* Maps the pages of the file that have the allocation. Returns NULL on failure. */
static struct opened *map_file(struct device_memory *memory, int file,
                               const struct memory_ticket *ticket)
{
    const uint64_t from = ticket->offset / page_bytes() * page_bytes();
    const uint64_t inside = ticket->offset - from;
    const uint64_t bytes = round_up(inside + ticket->size, page_bytes());
    struct opened *made = malloc(sizeof *made);
    const uint64_t range = virtual_take(bytes);
    void *pages = MAP_FAILED;
    if (made && range)
        pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)from);
    if (pages != MAP_FAILED && device_map(memory, range + inside, (uint8_t *)pages + inside,
                                          ticket->size, "cudaIpcOpenMemHandle")) {
        *made = (struct opened){.next = opened,
                                .inode = ticket->inode,
                                .number = ticket->number,
                                .address = range + inside,
                                .size = ticket->size,
                                .taken = range,
                                .pages = pages,
                                .bytes = bytes};
        return opened = made;
    }
    if (pages != MAP_FAILED)
        (void)munmap(pages, bytes);
    if (range)
        (void)virtual_give_back(range);
    free(made);
    return NULL;
}

enum cuda_error ipc_open(struct device_memory *memory, const struct cuda_ipc_handle *handle,
                         uint64_t *address)
{
    struct memory_ticket ticket;
    memcpy(&ticket, handle, sizeof ticket);
    if (memcmp(ticket.kind, ticket_kind, sizeof ticket.kind) != 0)
        return CUDA_INVALID_VALUE;
    if (ticket.process == getpid())
        return CUDA_DEVICE_UNINITIALIZED;
    struct opened *item = opened;
    while (item && (item->inode != ticket.inode || item->number != ticket.number))
        item = item->next;
    if (!item) {
        const int file = open_file(&ticket);
        if (file < 0)
            return CUDA_INVALID_RESOURCE_HANDLE;
        const bool valid = is_valid(file, &ticket);
        item = valid ? map_file(memory, file, &ticket) : NULL;
        (void)close(file);
        if (!item)
            return valid ? CUDA_MAP_BUFFER_OBJECT_FAILED : CUDA_INVALID_VALUE;
    }
    item->count++;
    *address = item->address;
    return CUDA_SUCCESS;
}

bool ipc_close(struct device_memory *memory, uint64_t address)
{
    struct opened **link = &opened;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct opened *item = *link;
    if (!item || --item->count)
        return item;
    *link = item->next;
    (void)device_unmap(memory, address);
    (void)munmap(item->pages, item->bytes);
    (void)virtual_give_back(item->taken);
    free(item);
    return true;
}

void ipc_destroy(void)
{
    while (exported) {
        struct exported *gone = exported;
        exported = gone->next;
        free(gone);
    }
    while (opened) {
        struct opened *gone = opened;
        opened = gone->next;
        (void)munmap(gone->pages, gone->bytes);
        free(gone);
    }
    if (own_file >= 0)
        (void)close(own_file);
    own_file = -1;
}
