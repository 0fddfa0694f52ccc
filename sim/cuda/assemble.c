#include "cuda/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/program.h"

enum { PLACE = 3000, SAID = 600 };

/* Files that are gone when it is over. */
struct scratch {
    char folder[PLACE], ptx[PLACE + 16], cubin[PLACE + 16];
};

const struct sass_image *assemble_pick(const struct sass_file *file, uint32_t sm)
{
    struct sass_image *best = NULL;
    struct simsm_error error;
    for (uint32_t i = 0; i < file->images; i++) {
        struct sass_image *image = &file->image[i];
        if (image->ptx && image->sm <= sm && (!best || image->sm > best->sm))
            best = image;
    }
    return best && sass_image_load(best, "the program's PTX", &error) == SIMSM_OK ? best : NULL;
}

/* The number behind the first `word` of a text, as in ".target sm_75"; 0: there is none. */
static uint32_t number_behind(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found ? (uint32_t)strtoul(found + strlen(word), NULL, 10) : 0;
}

bool assemble_is_ptx(const void *data, size_t size, struct sass_image *image)
{
    enum { BEGIN = 4096 };
    char text[BEGIN];
    const size_t length = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = '\0'; /* binary data end at their first zero here */
    if (!strstr(text, ".version"))
        return false;
    *image = (struct sass_image){.sm = number_behind(text, ".target sm_"),
                                 .kind = SASS_IMAGE_PTX,
                                 .ptx = true,
                                 .data = data,
                                 .size = size};
    return true;
}

static enum simsm_status make_scratch(struct scratch *scratch, struct simsm_error *error)
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(scratch->folder, sizeof scratch->folder, "%s/simsm-XXXXXX",
                          base && *base ? base : "/tmp");
    if (length < 0 || (size_t)length >= sizeof scratch->folder || !mkdtemp(scratch->folder))
        return err_set(error, SIMSM_FAILED, "no folder can be made in %s: %s",
                       base && *base ? base : "/tmp", strerror(errno));
    (void)snprintf(scratch->ptx, sizeof scratch->ptx, "%s/a.ptx", scratch->folder);
    (void)snprintf(scratch->cubin, sizeof scratch->cubin, "%s/a.cubin", scratch->folder);
    return SIMSM_OK;
}

static void remove_scratch(const struct scratch *scratch)
{
    (void)unlink(scratch->ptx);
    (void)unlink(scratch->cubin);
    (void)rmdir(scratch->folder);
}

/* PTX is text that zeros may follow. */
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

/* The `index`th place where ptxas may be; false: there are no more. */
static bool place_of(unsigned index, char *assembler, size_t size)
{
    const char *home = getenv("CUDA_HOME");
    const char *places[] = {"", home ? home : "", "/usr/local/cuda"};
    if (index >= sizeof places / sizeof places[0])
        return false;
    (void)snprintf(assembler, size, "%s%sptxas", places[index], *places[index] ? "/bin/" : "");
    return true;
}

static enum simsm_status run(const struct scratch *scratch, uint32_t sm, char *assembler,
                             size_t size, struct simsm_error *error)
{
    char arch[32], said[SAID];
    const char *words[] = {assembler, arch, "-o", scratch->cubin, scratch->ptx, NULL};
    bool good = false;
    enum simsm_status status = SIMSM_FAILED;
    (void)snprintf(arch, sizeof arch, "-arch=sm_%u", sm);
    for (unsigned i = 0; status != SIMSM_OK && place_of(i, assembler, size); i++)
        status = program_ask(words, said, sizeof said, &good, error);
    if (status == SIMSM_OK && !good)
        status = err_set(error, SIMSM_FAILED, "%s -arch=sm_%u fails: %.*s", assembler, sm,
                         (int)strcspn(said, "\n"), said);
    return status;
}

enum simsm_status assemble(const struct sass_image *ptx, uint32_t sm, char **cubin, size_t *size,
                           char *assembler, size_t assembler_size, struct simsm_error *error)
{
    struct scratch scratch;
    enum simsm_status status = make_scratch(&scratch, error);
    if (status != SIMSM_OK)
        return status;
    status = write_ptx(ptx, scratch.ptx, error);
    if (status == SIMSM_OK)
        status = run(&scratch, sm, assembler, assembler_size, error);
    if (status == SIMSM_OK)
        status = infile_read(scratch.cubin, "cubin", (size_t)1 << 31, cubin, size, error);
    remove_scratch(&scratch);
    return status;
}
