#include "cuda/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "cuda/toolkit.h"

/* Temporary files of one compilation. */
struct scratch {
    char folder[TOOLKIT_PATH], ptx[TOOLKIT_PATH + 16], cubin[TOOLKIT_PATH + 16];
};

/* The target of a PTX text: ".target sm_90a" has sm 90 and suffix 'a'. */
struct ptx_target {
    uint32_t sm; /* 0: the text has no target */
    char suffix; /* not '\0': code for this SM only; '\0': also for newer SMs */
};

/* Reads the target of a PTX text. Returns false if the data are not PTX. */
static bool read_target(const void *data, size_t size, struct ptx_target *target)
{
    enum { BEGIN = 4096 };
    static const char word[] = ".target sm_";
    char text[BEGIN], *end;
    const size_t length = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = '\0'; /* binary data end at their first zero */
    *target = (struct ptx_target){0};
    const char *found = strstr(text, word);
    if (found) {
        target->sm = (uint32_t)strtoul(found + sizeof word - 1, &end, 10);
        target->suffix = *end == 'a' || *end == 'f' ? *end : '\0';
    }
    return strstr(text, ".version") != NULL;
}

/* Returns whether ptxas can compile the PTX for `sm`. */
static bool becomes_code_for(const struct sass_image *ptx, uint32_t sm)
{
    struct ptx_target target;
    (void)read_target(ptx->data, ptx->size, &target);
    return !target.suffix || target.sm == sm;
}

const struct sass_image *assemble_pick(const struct sass_file *file, uint32_t sm)
{
    struct sass_image *best = NULL;
    struct simsm_error error;
    for (uint32_t i = 0; i < file->images; i++) {
        struct sass_image *image = &file->image[i];
        if (image->ptx && image->sm <= sm && (!best || image->sm > best->sm) &&
            sass_image_load(image, "the program's PTX", &error) == SIMSM_OK &&
            becomes_code_for(image, sm))
            best = image;
    }
    return best;
}

bool assemble_is_ptx(const void *data, size_t size, struct sass_image *image)
{
    struct ptx_target target;
    if (!read_target(data, size, &target))
        return false;
    *image = (struct sass_image){
        .sm = target.sm, .kind = SASS_IMAGE_PTX, .ptx = true, .data = data, .size = size};
    return true;
}

static enum simsm_status make_scratch(struct scratch *scratch, struct simsm_error *error)
{
    const enum simsm_status status = toolkit_folder(scratch->folder, error);
    (void)snprintf(scratch->ptx, sizeof scratch->ptx, "%s/a.ptx", scratch->folder);
    (void)snprintf(scratch->cubin, sizeof scratch->cubin, "%s/a.cubin", scratch->folder);
    return status;
}

static void remove_scratch(const struct scratch *scratch)
{
    (void)unlink(scratch->ptx);
    (void)unlink(scratch->cubin);
    (void)rmdir(scratch->folder);
}

/* Writes the PTX text up to its first zero: in a fatbin, zeros may follow the text. */
static enum simsm_status write_ptx(const struct sass_image *ptx, const char *path,
                                   struct simsm_error *error)
{
    const uint8_t *end = memchr(ptx->data, '\0', ptx->size);
    size_t size = end ? (size_t)(end - ptx->data) : ptx->size;
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(ptx->data, 1, size, file) == size;
    if (file && fclose(file) != 0)
        good = false;
    return good ? SIMSM_OK
                : err_at(error, SIMSM_FAILED, path, 0, 0, "cannot be written: %s", strerror(errno));
}

void assemble_arch(const struct sass_image *ptx, uint32_t sm, char arch[ASSEMBLE_ARCH])
{
    struct ptx_target target;
    (void)read_target(ptx->data, ptx->size, &target);
    const bool own = target.suffix && target.sm == sm;
    (void)snprintf(arch, ASSEMBLE_ARCH, "-arch=sm_%u%.1s", sm, own ? &target.suffix : "");
}

enum simsm_status assemble(const struct sass_image *ptx, uint32_t sm, const char *option,
                           char **cubin, size_t *size, char *assembler, size_t assembler_size,
                           struct simsm_error *error)
{
    char arch[ASSEMBLE_ARCH];
    struct scratch scratch;
    assemble_arch(ptx, sm, arch);
    enum simsm_status status = make_scratch(&scratch, error);
    if (status != SIMSM_OK)
        return status;
    const char *words[] = {arch, "-o", scratch.cubin, scratch.ptx, option, NULL};
    status = write_ptx(ptx, scratch.ptx, error);
    if (status == SIMSM_OK)
        status = toolkit_run("ptxas", words, assembler, assembler_size, error);
    if (status == SIMSM_OK)
        status = infile_read(scratch.cubin, "cubin", (size_t)1 << 31, cubin, size, error);
    remove_scratch(&scratch);
    return status;
}
