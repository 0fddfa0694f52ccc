/* Reads the header of a kernel's trace. */
#include "accelsim/accelsim_header.h"

#include <string.h>

#include "accelsim/scan.h"
#include "base/printable.h"
#include "sass/image/sass_module.h"

enum { MOST_THREADS = 1024, MOST_REGISTERS = 255, MOST_SHARED = 1 << 20 };

/*
 * Each read_... function reads the value after the equals sign. It returns false if the value is
 * invalid.
 */
static bool read_name(struct accelsim_header *header, const char *at)
{
    char mangled[1024];
    (void)printable(at, mangled, sizeof mangled);
    sass_plain_name(mangled, header->launch.name, sizeof header->launch.name);
    return *at != '\0';
}

static bool read_extents(const char *at, const uint64_t most[3], uint32_t extent[3])
{
    static const char *const before[] = {"(", ",", ","};
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (!scan_text(&at, before[i]) || !scan_decimal(&at, &value) || value < 1 ||
            value > most[i])
            return false;
        extent[i] = (uint32_t)value;
    }
    return scan_text(&at, ")") && scan_end(at);
}

static bool read_grid(struct accelsim_header *header, const char *at)
{
    static const uint64_t most[] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
    return read_extents(at, most, header->launch.grid);
}

static bool read_block(struct accelsim_header *header, const char *at)
{
    static const uint64_t most[] = {1024, 1024, 64};
    return read_extents(at, most, header->launch.block) &&
           simsm_block_threads(&header->launch) <= MOST_THREADS;
}

static bool read_number(const char *at, uint64_t most, uint32_t *number)
{
    uint64_t value;
    if (!scan_decimal(&at, &value) || value > most || !scan_end(at))
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool read_shared(struct accelsim_header *header, const char *at)
{
    return read_number(at, MOST_SHARED, &header->launch.shared_static);
}

static bool read_registers(struct accelsim_header *header, const char *at)
{
    return read_number(at, MOST_REGISTERS, &header->launch.registers) &&
           header->launch.registers >= 1;
}

static bool read_binary(struct accelsim_header *header, const char *at)
{
    return read_number(at, 999, &header->binary) && header->binary >= 20;
}

static bool read_version(struct accelsim_header *header, const char *at)
{
    uint64_t major;
    if (!scan_decimal(&at, &major) || major < ACCELSIM_FIRST_VERSION ||
        major > ACCELSIM_LAST_VERSION)
        return false;
    header->version = (uint32_t)major;
    return true;
}

static bool read_line_numbers(struct accelsim_header *header, const char *at)
{
    uint32_t value = 0;
    bool good = read_number(at, 1, &value);
    header->line_numbers = value == 1;
    return good;
}

static bool read_shared_window(struct accelsim_header *header, const char *at)
{
    return scan_hex(&at, &header->shared_window) && scan_end(at);
}

static bool read_local_window(struct accelsim_header *header, const char *at)
{
    return scan_hex(&at, &header->local_window) && scan_end(at);
}

struct header_field {
    const char *key;
    bool (*read)(struct accelsim_header *header, const char *at);
    bool required;
    const char *expected;
};

/* Other keys, such as `kernel id`, have no effect. */
static const struct header_field fields[] = {
    {"kernel name", read_name, false, "a name"},
    {"grid dim", read_grid, true, "(X,Y,Z) with at most 2147483647, 65535 and 65535 blocks"},
    {"block dim", read_block, true, "(X,Y,Z) with at most 1024 threads together, 64 in Z"},
    {"shmem base_addr", read_shared_window, false, "an address in hexadecimal"},
    {"shmem", read_shared, true, "bytes of shared memory, at most 1048576"},
    {"nregs", read_registers, true, "registers of a thread, 1 to 255"},
    {"binary version", read_binary, true, "a compute capability such as 70"},
    {"local mem base_addr", read_local_window, false, "an address in hexadecimal"},
    {"accelsim tracer version", read_version, true, "a version from 1 to 5"},
    {"enable lineinfo", read_line_numbers, false, "0 or 1"},
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* Reads one line "-key = value" and marks the field in *seen. */
static enum simsm_status take_line(struct accelsim_header *header,
                                   const struct accelsim_lines *lines, const char *line,
                                   uint32_t *seen, struct simsm_error *error)
{
    for (unsigned i = 0; i < FIELDS; i++) {
        const char *at = line + 1;
        char found[64];
        if (!scan_text(&at, fields[i].key) || !scan_text(&at, "="))
            continue;
        while (*at == ' ')
            at++;
        *seen |= 1u << i;
        if (fields[i].read(header, at))
            return SIMSM_OK;
        return lines_fail(lines, error, "-%s: expected %s, found '%s'", fields[i].key,
                          fields[i].expected, printable(at, found, sizeof found));
    }
    return SIMSM_OK;
}

static enum simsm_status check_complete(const struct accelsim_lines *lines, uint32_t seen,
                                        struct simsm_error *error)
{
    for (unsigned i = 0; i < FIELDS; i++) {
        if (fields[i].required && !(seen >> i & 1u))
            return lines_fail(lines, error,
                              "the head of an Accel-Sim trace should end here, but has no line "
                              "'-%s = ...' (%s)",
                              fields[i].key, fields[i].expected);
    }
    return SIMSM_OK;
}

static enum simsm_status refuse_line(const struct accelsim_lines *lines, const char *line,
                                     struct simsm_error *error)
{
    const char *at = line;
    char found[64];
    uint64_t number;
    if (scan_decimal(&at, &number))
        return lines_fail(lines, error,
                          "instructions outside of a thread block: the trace has not been grouped; "
                          "run Accel-Sim's post-traces-processing on its kernelslist first");
    return lines_fail(lines, error,
                      "expected a line '-key = value' or #BEGIN_TB of an Accel-Sim trace, found "
                      "'%s'",
                      printable(line, found, sizeof found));
}

enum simsm_status header_read(struct accelsim_header *header, bool *blocks,
                              struct accelsim_lines *lines, struct simsm_error *error)
{
    const char *line;
    size_t length;
    uint32_t seen = 0;
    *header =
        (struct accelsim_header){.launch = {.name = "kernel", .carveout = SIMSM_CARVEOUT_DEFAULT}};
    *blocks = false;
    for (;;) {
        enum simsm_status status = lines_next(lines, &line, &length, error);
        if (status == SIMSM_OK && line && line[0] == '-')
            status = take_line(header, lines, line, &seen, error);
        else if (status == SIMSM_OK && line && line[0] != '#' && !scan_end(line))
            status = refuse_line(lines, line, error);
        if (status != SIMSM_OK)
            return status;
        *blocks = line && strncmp(line, "#BEGIN_TB", 9) == 0;
        if (!line || *blocks)
            return check_complete(lines, seen, error);
    }
}
