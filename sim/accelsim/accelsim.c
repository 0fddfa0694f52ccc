/* Recognises traces of Accel-Sim and converts their kernels into a recording. */
#include "accelsim/accelsim.h"

#include <stdio.h>
#include <string.h>

#include "accelsim/accelsim_list.h"
#include "accelsim/kernel.h"
#include "base/err.h"

enum { HEAD = 64 };

static bool begins(const uint8_t *head, size_t size, const char *text)
{
    size_t length = strlen(text);
    return size >= length && memcmp(head, text, length) == 0;
}

/* Returns whether the first line names a trace file or a memory copy. */
static bool is_list(const uint8_t *head, size_t size)
{
    if (size == 0 || head[0] == '#')
        return false;
    if (begins(head, size, "Memcpy"))
        return true;
    for (size_t i = 0; i + 6 <= size && head[i] > ' '; i++) {
        if (memcmp(head + i, ".trace", 6) == 0)
            return true;
    }
    return false;
}

bool accelsim_probe(const uint8_t *head, size_t size)
{
    static const char xz[] = {(char)0xFD, '7', 'z', 'X', 'Z', '\0'};
    return begins(head, size, xz) || begins(head, size, "-kernel ") || is_list(head, size);
}

/*
 * Reads the kernels of a list, or the one kernel of a trace file. On success *list must be freed.
 */
static enum simsm_status kernels_of(const char *path, struct kernel_list *list,
                                    struct simsm_error *error)
{
    uint8_t head[HEAD];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        (void)fclose(file);
    if (is_list(head, size))
        return list_read(list, path, error);
    return list_single(list, path, error); /* kernel_convert() reports open errors */
}

enum simsm_status accelsim_launches(const char *path, uint32_t *count,
                                    void (*each)(void *context, uint32_t number,
                                                 const struct simsm_launch *launch),
                                    void *context, struct simsm_error *error)
{
    struct kernel_list list;
    enum simsm_status status = kernels_of(path, &list, error);
    if (status != SIMSM_OK)
        return status;
    *count = list.count;
    for (uint32_t i = 0; each && i < list.count && status == SIMSM_OK; i++) {
        struct simsm_launch launch;
        status = kernel_launch(list.path[i], &launch, error);
        if (status == SIMSM_OK)
            each(context, i, &launch);
    }
    list_free(&list);
    return status;
}

enum simsm_status accelsim_convert(const struct accelsim_request *request,
                                   struct recording_writer *writer, struct accelsim_notes *notes,
                                   struct simsm_error *error)
{
    struct kernel_list list;
    uint32_t number = request->number;
    enum simsm_status status = kernels_of(request->path, &list, error);
    if (status != SIMSM_OK)
        return status;
    notes->copies += list.copies;
    notes->copy_bytes += list.copy_bytes;
    if (number != ACCELSIM_ALL && number >= list.count)
        status = err_at(error, SIMSM_BAD_INPUT, request->path, 0, 0,
                        "there is no kernel launch %u: it has %u", number + 1, list.count);
    for (uint32_t i = 0; i < list.count && status == SIMSM_OK; i++) {
        if (number == ACCELSIM_ALL || number == i)
            status = kernel_convert(list.path[i], request->stop, writer, notes, error);
    }
    list_free(&list);
    return status;
}
