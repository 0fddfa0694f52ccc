/*
 * Virtual memory of the driver API: what it maps, what it refuses, and memory that two processes
 * share. The expectations are those of an H200 with driver 580.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct location {
    int type, id;
};

struct properties {
    int type, handle_types;
    struct location location;
    void *windows;
    unsigned char flags[8];
};

struct access {
    struct location location;
    int flags;
};

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuMemGetInfo_v2(size_t *unused, size_t *total);
int cuMemcpyHtoD_v2(uint64_t dst, const void *src, size_t size);
int cuMemcpyDtoH_v2(void *dst, uint64_t src, size_t size);
int cuMemsetD32_v2(uint64_t dst, unsigned value, size_t count);
int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer);
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer);
int cuMemAddressReserve(uint64_t *address, size_t size, size_t alignment, uint64_t hint,
                        unsigned long long flags);
int cuMemAddressFree(uint64_t address, size_t size);
int cuMemCreate(void **handle, size_t size, const struct properties *properties,
                unsigned long long flags);
int cuMemRelease(void *handle);
int cuMemMap(uint64_t address, size_t size, size_t offset, void *handle, unsigned long long flags);
int cuMemUnmap(uint64_t address, size_t size);
int cuMemSetAccess(uint64_t address, size_t size, const struct access *access, size_t count);
int cuMemGetAccess(unsigned long long *flags, const struct location *location, uint64_t address);
int cuMemRetainAllocationHandle(void **handle, void *address);
int cuMemExportToShareableHandle(void *shareable, void *handle, int type, unsigned long long flags);
int cuMemImportFromShareableHandle(void **handle, void *shareable, int type);
int cuMemGetAllocationGranularity(size_t *granularity, const struct properties *properties,
                                  int option);
int cuMemGetAllocationPropertiesFromHandle(struct properties *properties, void *handle);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        int got = (call);                                                                          \
        if (got != (expected)) {                                                                   \
            printf("line %d: %s: %d, expected %d\n", __LINE__, #call, got, (expected));            \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static const struct properties shared_memory = {1, 1, {1, 0}, NULL, {0}};
static const struct properties own_memory = {1, 0, {1, 0}, NULL, {0}};
static const struct access writable = {{1, 0}, 3};
static const struct access readable = {{1, 0}, 1};
static const struct access none = {{1, 0}, 0};
static const size_t granule = 2 << 20;

static void begin(void)
{
    void *context;
    EXPECT(cuInit(0), 0);
    EXPECT(cuDevicePrimaryCtxRetain(&context, 0), 0);
    EXPECT(cuCtxSetCurrent(context), 0);
}

static void check_refusals(void)
{
    uint64_t address = 0, other = 0;
    void *handle = NULL;
    unsigned long long flags = 0;
    size_t size = 0;
    const struct properties bad = {7, 0, {1, 0}, NULL, {0}};
    EXPECT(cuMemGetAllocationGranularity(&size, &own_memory, 0), 0);
    CHECK(size == granule);
    EXPECT(cuMemGetAllocationGranularity(&size, &own_memory, 1), 0);
    CHECK(size == granule);
    EXPECT(cuMemAddressReserve(&address, granule + 4096, 0, 0, 0), 1);
    EXPECT(cuMemAddressReserve(&address, 0, 0, 0, 0), 1);
    EXPECT(cuMemCreate(&handle, granule, &bad, 0), 1);
    EXPECT(cuMemCreate(&handle, granule / 2, &own_memory, 0), 1);
    EXPECT(cuMemCreate(&handle, (size_t)1 << 45, &own_memory, 0), 2);
    EXPECT(cuMemAddressReserve(&address, 4 * granule, 0, 0, 0), 0);
    CHECK(address % granule == 0);
    EXPECT(cuMemCreate(&handle, 2 * granule, &own_memory, 0), 0);
    EXPECT(cuMemMap(address, 4 * granule, 0, handle, 0), 801);
    EXPECT(cuMemMap(address, granule, 0, handle, 0), 801);
    EXPECT(cuMemMap(address, granule, granule, handle, 0), 801);
    EXPECT(cuMemMap(address + 4096, 2 * granule, 0, handle, 0), 1);
    EXPECT(cuMemSetAccess(address, granule, &writable, 1), 1);
    EXPECT(cuMemUnmap(address, granule), 0); /* of nothing */
    EXPECT(cuMemGetAccess(&flags, &writable.location, address), 1);
    EXPECT(cuMemMap(address, 2 * granule, 0, handle, 0), 0);
    EXPECT(cuMemMap(address, 2 * granule, 0, handle, 0), 1);
    EXPECT(cuMemUnmap(address, granule), 1);
    EXPECT(cuMemUnmap(address, 0), 1);
    EXPECT(cuMemSetAccess(address, 4 * granule, &writable, 1), 1); /* half of it is mapped */
    EXPECT(cuMemSetAccess(address, 0, &writable, 1), 1);
    EXPECT(cuMemAddressFree(address, 4 * granule), 1);
    EXPECT(cuMemsetD32_v2(address, 1, 1), 1); /* mapped, but not accessible */
    EXPECT(cuMemGetAccess(&flags, &writable.location, address), 0);
    CHECK(flags == 0);
    EXPECT(cuMemUnmap(address, 2 * granule), 0);
    EXPECT(cuMemAddressFree(address, 2 * granule), 1);
    EXPECT(cuMemRelease(handle), 0);
    EXPECT(cuMemRelease(handle), 1);
    EXPECT(cuMemAddressReserve(&other, granule, 16 * granule, 0, 0), 0);
    CHECK(other % (16 * granule) == 0);
    EXPECT(cuMemAddressFree(other, granule), 0);
    EXPECT(cuMemAddressFree(address, 4 * granule), 0);
}

/* Three pieces of memory side by side are one array; one of them lies at a second place, too. */
static void check_mapping(void)
{
    static unsigned value[6 << 18];
    uint64_t address = 0, alias = 0, base = 0;
    int managed = -1;
    void *handle[3], *again = NULL;
    size_t before = 0, after = 0, total = 0, size = 0;
    unsigned long long flags = 0;
    struct properties found;
    memset(&found, 0xff, sizeof found);
    EXPECT(cuMemGetInfo_v2(&before, &total), 0);
    EXPECT(cuMemAddressReserve(&address, 8 * granule, 0, 0, 0), 0);
    EXPECT(cuMemAddressReserve(&alias, granule, 0, 0, 0), 0);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(cuMemCreate(&handle[i], granule, &own_memory, 0), 0);
        EXPECT(cuMemMap(address + i * granule, granule, 0, handle[i], 0), 0);
    }
    EXPECT(cuMemSetAccess(address, 3 * granule, &writable, 1), 0);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address + granule), 0);
    CHECK(flags == 3);
    EXPECT(cuMemsetD32_v2(address + granule - 4, 7, 2), 0); /* across two pieces */
    EXPECT(cuMemMap(alias, granule, 0, handle[1], 0), 0);
    EXPECT(cuMemSetAccess(alias, granule, &writable, 1), 0);
    EXPECT(cuMemcpyDtoH_v2(value, alias, 8), 0);
    CHECK(value[0] == 7 && value[1] == 0);
    EXPECT(cuMemsetD32_v2(alias + 4, 9, 1), 0);
    EXPECT(cuMemcpyDtoH_v2(value, address + granule - 4, 12), 0);
    CHECK(value[0] == 7 && value[1] == 7 && value[2] == 9);
    EXPECT(cuMemGetAddressRange_v2(&base, &size, address + granule + 16), 0);
    CHECK(base == address + granule && size == granule);
    EXPECT(cuPointerGetAttribute(&managed, 8, address + granule), 0); /* IS_MANAGED: 4 bytes */
    CHECK(managed == 0);
    EXPECT(cuPointerGetAttribute(&base, 11, address + granule + 8), 0); /* RANGE_START_ADDR */
    EXPECT(cuPointerGetAttribute(&size, 12, address + granule + 8), 0); /* RANGE_SIZE */
    CHECK(base == address && size == 8 * granule);                      /* what was reserved */
    EXPECT(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(alias + 64)), 0);
    EXPECT(cuMemGetAllocationPropertiesFromHandle(&found, again), 0);
    CHECK(found.type == 1 && found.location.type == 1 && found.location.id == 0);
    EXPECT(cuMemRelease(again), 0);

    /* The middle goes: its neighbours keep their bytes, and its own memory keeps its. */
    EXPECT(cuMemUnmap(address + granule, granule), 0);
    EXPECT(cuMemsetD32_v2(address + granule, 1, 1), 1);
    EXPECT(cuMemsetD32_v2(address + granule - 4, 1, 2), 1);
    EXPECT(cuMemcpyDtoH_v2(value, address + granule - 4, 4), 0);
    CHECK(value[0] == 7);
    EXPECT(cuMemcpyDtoH_v2(value, alias, 8), 0);
    CHECK(value[0] == 7 && value[1] == 9);
    EXPECT(cuMemSetAccess(alias, granule, &none, 1), 0);
    EXPECT(cuMemcpyDtoH_v2(value, alias, 8), 1);

    /* Memory is free when no handle and no mapping refers to it. */
    for (unsigned i = 0; i < 3; i++)
        EXPECT(cuMemRelease(handle[i]), 0);
    EXPECT(cuMemGetInfo_v2(&after, &total), 0);
    CHECK(before - after == 3 * granule);
    EXPECT(cuMemUnmap(alias, granule), 0);
    EXPECT(cuMemUnmap(address, granule), 0);
    EXPECT(cuMemUnmap(address + 2 * granule, granule), 0);
    EXPECT(cuMemGetInfo_v2(&after, &total), 0);
    CHECK(before == after);
    EXPECT(cuMemAddressFree(alias, granule), 0);
    EXPECT(cuMemAddressFree(address, 8 * granule), 0);
}

/* A hole between mappings, handles that were given back, and ranges that are too long. */
static void check_edges(void)
{
    uint64_t address = 0;
    void *handle[2];
    unsigned long long flags = 0;
    EXPECT(cuMemAddressReserve(&address, 8 * granule, 0, 0, 0), 0);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(cuMemCreate(&handle[i], granule, &own_memory, 0), 0);
        EXPECT(cuMemMap(address + 2 * i * granule, granule, 0, handle[i], 0), 0);
    }
    EXPECT(cuMemSetAccess(address, 3 * granule, &writable, 1), 0);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address), 0);
    CHECK(flags == 3);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address + 2 * granule), 0);
    CHECK(flags == 0); /* behind the hole */
    EXPECT(cuMemSetAccess(address, 4 * granule, &writable, 1), 1);
    EXPECT(cuMemSetAccess(address + granule, 2 * granule, &writable, 1), 1);
    EXPECT(cuMemSetAccess(address + 2 * granule, 7 * granule, &writable, 1), 1);
    EXPECT(cuMemRelease(handle[0]), 0);
    EXPECT(cuMemMap(address + 4 * granule, granule, 0, handle[0], 0), 0);
    EXPECT(cuMemRelease(handle[0]), 1);
    EXPECT(cuMemUnmap(address - 2 * granule, 4 * granule), 1);
    EXPECT(cuMemUnmap(address + 2 * granule, 16 * granule), 0);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address + 4 * granule), 1);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address), 0);
    EXPECT(cuMemUnmap(address, 8 * granule), 0);
    EXPECT(cuMemRelease(handle[1]), 0);
    EXPECT(cuMemAddressFree(address, 8 * granule), 0);
}

/* What may only be read: copies and fills to it are refused. */
static void check_read_only(void)
{
    uint64_t address = 0;
    void *handle;
    unsigned value = 0;
    int access_flags = 0;
    unsigned long long flags = 0;
    EXPECT(cuMemCreate(&handle, granule, &own_memory, 0), 0);
    EXPECT(cuMemAddressReserve(&address, granule, 0, 0, 0), 0);
    EXPECT(cuMemMap(address, granule, 0, handle, 0), 0);
    EXPECT(cuMemSetAccess(address, granule, &writable, 1), 0);
    EXPECT(cuMemsetD32_v2(address, 3, 64), 0);
    EXPECT(cuMemSetAccess(address, granule, &readable, 1), 0);
    EXPECT(cuMemGetAccess(&flags, &writable.location, address), 0);
    CHECK(flags == 1);
    EXPECT(cuPointerGetAttribute(&access_flags, 16, address), 0); /* ACCESS_FLAGS */
    CHECK(access_flags == 1);
    EXPECT(cuMemcpyDtoH_v2(&value, address, 4), 0);
    CHECK(value == 3);
    EXPECT(cuMemcpyHtoD_v2(address, &value, 4), 1);
    EXPECT(cuMemsetD32_v2(address, 4, 1), 1);
    EXPECT(cuMemSetAccess(address, granule, &writable, 1), 0);
    EXPECT(cuMemsetD32_v2(address, 4, 1), 0);
    EXPECT(cuMemUnmap(address, granule), 0);
    EXPECT(cuMemRelease(handle), 0);
    EXPECT(cuMemAddressFree(address, granule), 0);
}

/* Maps memory for a check of its bytes. */
static uint64_t place(void *handle)
{
    uint64_t address = 0;
    EXPECT(cuMemAddressReserve(&address, granule, 0, 0, 0), 0);
    EXPECT(cuMemMap(address, granule, 0, handle, 0), 0);
    EXPECT(cuMemSetAccess(address, granule, &writable, 1), 0);
    return address;
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static void send_file(int socket, int file)
{
    union control control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    CHECK(sendmsg(socket, &message, 0) == 1);
}

static int receive_file(int socket)
{
    union control control;
    char byte;
    int file = -1;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, 0) == 1)
        memcpy(&file, CMSG_DATA(&control.header), sizeof file);
    return file;
}

static int child(int socket)
{
    unsigned value[2] = {0};
    void *handle = NULL;
    begin();
    EXPECT(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)receive_file(socket), 1), 0);
    const uint64_t address = place(handle);
    EXPECT(cuMemcpyDtoH_v2(value, address, sizeof value), 0);
    CHECK(value[0] == 11 && value[1] == 11);
    EXPECT(cuMemsetD32_v2(address, 12, 1), 0);
    return failures != 0;
}

/* The process that shares memory forks before it uses the driver. */
static void check_sharing(void)
{
    int pair[2], file = -1, status = -1;
    unsigned value = 0;
    void *handle = NULL;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    const pid_t process = fork();
    if (process == 0)
        _exit(child(pair[1]));
    begin();
    EXPECT(cuMemCreate(&handle, granule, &own_memory, 0), 0);
    EXPECT(cuMemExportToShareableHandle(&file, handle, 1, 0), 1);
    EXPECT(cuMemRelease(handle), 0);
    EXPECT(cuMemCreate(&handle, granule, &shared_memory, 0), 0);
    const uint64_t address = place(handle);
    EXPECT(cuMemsetD32_v2(address, 11, 2), 0);
    EXPECT(cuMemExportToShareableHandle(&file, handle, 1, 0), 0);
    EXPECT(cuMemcpyDtoH_v2(&value, address, 4), 0);
    send_file(pair[0], file);
    CHECK(waitpid(process, &status, 0) == process && status == 0);
    EXPECT(cuMemcpyDtoH_v2(&value, address, 4), 0);
    CHECK(value == 12);
}

int main(void)
{
    check_sharing();
    check_refusals();
    check_mapping();
    check_edges();
    check_read_only();
    printf("%s virtual\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
