/* Reads the lines of a text file, decompressing it if it is an xz file. */
#include "accelsim/lines.h"

#include <errno.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"

enum {
    LONGEST_LINE = 1 << 16, /* a line with 32 full addresses needs some 800 bytes */
    TEXT_ROOM = 1 << 18,
    PACKED_ROOM = 1 << 16,
};

static const uint64_t memory_limit = 1u << 30; /* `xz -9` needs 65 MiB to decompress */

static const uint8_t xz_magic[] = {0xFD, '7', 'z', 'X', 'Z', 0x00};

struct accelsim_lines {
    FILE *file;
    bool packed, ended; /* ended: all bytes have been read */
    lzma_stream stream;
    uint64_t number;
    size_t begin, end; /* bytes of `text` that belong to no line yet */
    char path[256];
    uint8_t input[PACKED_ROOM];
    char text[TEXT_ROOM + 1];
};

static enum simsm_status fail(const struct accelsim_lines *lines, enum simsm_status status,
                              struct simsm_error *error, const char *what)
{
    uint32_t line = lines->number < UINT32_MAX ? (uint32_t)lines->number + 1 : 0;
    return err_at(error, status, lines->path, line, 0, "%s", what);
}

/* Looks at the first bytes of the file and keeps them for reading. */
static enum simsm_status find_kind(struct accelsim_lines *lines, struct simsm_error *error)
{
    size_t size = fread(lines->input, 1, sizeof xz_magic, lines->file);
    lines->packed = size == sizeof xz_magic && memcmp(lines->input, xz_magic, size) == 0;
    if (!lines->packed) {
        memcpy(lines->text, lines->input, size);
        lines->end = size;
        return SIMSM_OK;
    }
    lines->stream.next_in = lines->input;
    lines->stream.avail_in = size;
    lzma_ret result = lzma_stream_decoder(&lines->stream, memory_limit, LZMA_CONCATENATED);
    return result == LZMA_OK ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status lines_open(struct accelsim_lines **opened, const char *path,
                             struct simsm_error *error)
{
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot open: %s", strerror(errno));
    struct accelsim_lines *lines = malloc(sizeof *lines);
    if (!lines || fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        (void)fclose(file);
        bool no_memory = !lines;
        free(lines);
        return no_memory ? err_no_memory(error)
                         : err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "not a regular file");
    }
    lines->file = file;
    lines->packed = lines->ended = false;
    lines->stream = fresh;
    lines->number = lines->begin = lines->end = 0;
    (void)snprintf(lines->path, sizeof lines->path, "%s", path);
    enum simsm_status status = find_kind(lines, error);
    if (status != SIMSM_OK) {
        lines_close(lines);
        return status;
    }
    *opened = lines;
    return SIMSM_OK;
}

void lines_close(struct accelsim_lines *lines)
{
    if (!lines)
        return;
    lzma_end(&lines->stream);
    (void)fclose(lines->file);
    free(lines);
}

static const char *unpack_problem(lzma_ret result)
{
    switch (result) {
    case LZMA_BUF_ERROR:
        return "the compressed file ends too early: it was cut off; copy it again";
    case LZMA_MEMLIMIT_ERROR:
        return "unpacking needs more than 1 GiB of memory; compress it with `xz -9` or less";
    case LZMA_MEM_ERROR:
        return "out of memory";
    default:
        return "the compressed file is damaged; `xz -t` will say the same; copy it again";
    }
}

static enum simsm_status fill_packed(struct accelsim_lines *lines, struct simsm_error *error)
{
    lzma_stream *stream = &lines->stream;
    stream->next_out = (uint8_t *)lines->text + lines->end;
    stream->avail_out = TEXT_ROOM - lines->end;
    while (stream->avail_out == TEXT_ROOM - lines->end && !lines->ended) {
        if (stream->avail_in == 0) {
            stream->next_in = lines->input;
            stream->avail_in = fread(lines->input, 1, sizeof lines->input, lines->file);
        }
        bool over = feof(lines->file) && stream->avail_in == 0;
        lzma_ret result = lzma_code(stream, over ? LZMA_FINISH : LZMA_RUN);
        if (result == LZMA_STREAM_END)
            lines->ended = true;
        else if (result != LZMA_OK)
            return fail(lines, result == LZMA_MEM_ERROR ? SIMSM_FAILED : SIMSM_BAD_INPUT, error,
                        unpack_problem(result));
    }
    lines->end = TEXT_ROOM - stream->avail_out;
    return SIMSM_OK;
}

/* Appends more bytes of the file to `text`. */
static enum simsm_status fill(struct accelsim_lines *lines, struct simsm_error *error)
{
    memmove(lines->text, lines->text + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    if (lines->packed) {
        enum simsm_status status = fill_packed(lines, error);
        if (status != SIMSM_OK)
            return status;
    } else {
        size_t size = fread(lines->text + lines->end, 1, TEXT_ROOM - lines->end, lines->file);
        lines->end += size;
        lines->ended = size == 0;
    }
    if (ferror(lines->file))
        return fail(lines, SIMSM_FAILED, error, "cannot be read");
    return SIMSM_OK;
}

enum simsm_status lines_next(struct accelsim_lines *lines, const char **line, size_t *length,
                             struct simsm_error *error)
{
    char *stop = memchr(lines->text + lines->begin, '\n', lines->end - lines->begin);
    while (!stop && !lines->ended) {
        size_t seen = lines->end - lines->begin;
        if (seen > LONGEST_LINE)
            return fail(lines, SIMSM_BAD_INPUT, error,
                        "a line of more than 64 KiB; this is no Accel-Sim trace");
        enum simsm_status status = fill(lines, error);
        if (status != SIMSM_OK)
            return status;
        stop = memchr(lines->text + seen, '\n', lines->end - seen);
    }
    char *start = lines->text + lines->begin;
    *line = start;
    if (!stop && lines->begin == lines->end) {
        *line = NULL;
        *length = 0;
        return SIMSM_OK;
    }
    *length = stop ? (size_t)(stop - start) : lines->end - lines->begin;
    lines->begin += *length + (stop ? 1 : 0);
    while (*length > 0 && start[*length - 1] == '\r')
        --*length;
    start[*length] = '\0';
    lines->number++;
    return SIMSM_OK;
}

enum simsm_status lines_fail(const struct accelsim_lines *lines, struct simsm_error *error,
                             const char *format, ...)
{
    char message[sizeof error->message];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    uint32_t line = lines->number <= UINT32_MAX ? (uint32_t)lines->number : 0;
    return err_at(error, SIMSM_BAD_INPUT, lines->path, line, 0, "%s", message);
}
