/* Files that hold device code. */
#include <elf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "front/sass/module.h"
#include "front/sass/module/bytes.h"
#include "front/sass/module/elf.h"
#include "front/sass/module/fatbin.h"

static const size_t file_limit = (size_t)8 << 30;

struct search {
    struct keeper *keeper;
    struct pool images; /* of struct sass_image */
    uint32_t units;
    const char *name;
    struct simsm_error *error;
};

/* Fatbins one behind the other, with zeros between them. */
static enum simsm_status search_fatbins(struct search *search, const uint8_t *data, size_t size)
{
    size_t at = 0;
    while (size - at >= FATBIN_ALIGN) {
        size_t used = 0;
        if (load64(data + at) == 0) {
            at += FATBIN_ALIGN;
            continue;
        }
        enum simsm_status status = fatbin_read(&search->images, data + at, size - at, search->units,
                                               search->name, &used, search->error);
        if (status != SIMSM_OK)
            return status;
        search->units++;
        at += used;
        at += (FATBIN_ALIGN - at % FATBIN_ALIGN) % FATBIN_ALIGN;
        if (at > size)
            break;
    }
    return SIMSM_OK;
}

static enum simsm_status search_section(struct search *search, Elf *elf, const char *wanted,
                                        const uint8_t *data, size_t size)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return SIMSM_OK;
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr header; /* a copy: in the file it may lie at any address */
        const char *name =
            gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!name || strcmp(name, wanted) != 0 || header.sh_type == SHT_NOBITS)
            continue;
        if (header.sh_offset > size || header.sh_size > size - header.sh_offset)
            return err_at(search->error, SIMSM_BAD_INPUT, search->name, 0, 0,
                          "is cut: its section %s is not within the file", wanted);
        enum simsm_status status = search_fatbins(search, data + header.sh_offset, header.sh_size);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

/* Code that is linked, else code that waits for its linking (-rdc=true). */
static enum simsm_status search_program(struct search *search, uint8_t *data, size_t size)
{
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)data, size);
    if (!elf || gelf_getclass(elf) != ELFCLASS64) {
        (void)elf_end(elf);
        return err_at(search->error, SIMSM_BAD_INPUT, search->name, 0, 0,
                      "is not an ELF file of 64 bits that can be read: %s", elf_errmsg(-1));
    }
    enum simsm_status status = search_section(search, elf, ".nv_fatbin", data, size);
    if (status == SIMSM_OK && search->images.count == 0)
        status = search_section(search, elf, "__nv_relfatbin", data, size);
    (void)elf_end(elf);
    return status;
}

static enum simsm_status search_any(struct search *search, uint8_t *data, size_t size)
{
    if (cubin_recognise(data, size)) {
        struct sass_image image = {
            .sm = cubin_sm(data, size), .kind = SASS_IMAGE_CUBIN, .data = data, .size = size};
        image.empty = !cubin_has_code(data, size);
        search->units = 1;
        return pool_add(&search->images, &image) ? SIMSM_OK : err_no_memory(search->error);
    }
    if (fatbin_recognise(data, size))
        return search_fatbins(search, data, size);
    if (size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0)
        return search_program(search, data, size);
    return err_at(search->error, SIMSM_BAD_INPUT, search->name, 0, 0,
                  "holds no GPU code: a cubin, a fatbin, or a program, object or shared library "
                  "(ELF) that nvcc made is expected");
}

/* Owns `data`, a block from malloc. */
static enum simsm_status read_owned(struct sass_file *file, uint8_t *data, size_t size,
                                    const char *name, struct simsm_error *error)
{
    struct search search = {
        .keeper = keeper_create(),
        .images = {.size = sizeof(struct sass_image)},
        .name = name,
        .error = error,
    };
    enum simsm_status status;
    *file = (struct sass_file){0};
    if (!search.keeper)
        free(data);
    if (!search.keeper || !keeper_adopt(search.keeper, data)) {
        keeper_destroy(search.keeper);
        return err_no_memory(error);
    }
    status = search_any(&search, data, size);
    if (status == SIMSM_OK && search.images.count == 0)
        status = err_at(error, SIMSM_BAD_INPUT, name, 0, 0,
                        "holds no GPU code: it was made without nvcc, or its kernels are in a "
                        "shared library that it uses");
    if (search.images.data && !keeper_adopt(search.keeper, search.images.data))
        status = err_no_memory(error);
    if (status != SIMSM_OK) {
        keeper_destroy(search.keeper);
        return status;
    }
    file->image = search.images.data;
    file->images = (uint32_t)search.images.count;
    file->units = search.units;
    file->keeper = search.keeper;
    return SIMSM_OK;
}

enum simsm_status sass_file_open(struct sass_file *file, const char *path,
                                 struct simsm_error *error)
{
    char *data;
    size_t size;
    *file = (struct sass_file){0};
    enum simsm_status status = infile_read(path, "program", file_limit, &data, &size, error);
    return status == SIMSM_OK ? read_owned(file, (uint8_t *)data, size, path, error) : status;
}

enum simsm_status sass_file_read(struct sass_file *file, const void *data, size_t size,
                                 const char *name, struct simsm_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    *file = (struct sass_file){0};
    if (!copy)
        return err_no_memory(error);
    if (size)
        memcpy(copy, data, size);
    return read_owned(file, copy, size, name, error);
}

void sass_file_close(struct sass_file *file)
{
    for (uint32_t i = 0; i < file->images; i++)
        sass_image_unload(&file->image[i]);
    keeper_destroy(file->keeper);
    *file = (struct sass_file){0};
}

/* Machine code runs on SMs of its generation (7.x, 8.x) that are not older than it. */
static bool runs_on(const struct sass_image *image, uint32_t sm)
{
    return image->kind == SASS_IMAGE_CUBIN && image->sm / 10 == sm / 10 && image->sm <= sm;
}

/* Whether the image can be loaded, and there is code in it. */
static bool has_code(struct sass_image *image)
{
    struct simsm_error error;
    return sass_image_load(image, "", &error) == SIMSM_OK && !image->empty;
}

/* Of the unit that begins at image *next, which is moved behind it. */
static const struct sass_image *best_of_unit(const struct sass_file *file, uint32_t *next,
                                             uint32_t sm)
{
    const struct sass_image *best = NULL;
    uint32_t unit = file->image[*next].unit;
    for (; *next < file->images && file->image[*next].unit == unit; ++*next) {
        struct sass_image *image = &file->image[*next];
        if (runs_on(image, sm) && (!best || image->sm > best->sm) && has_code(image))
            best = image;
    }
    return best;
}

const struct sass_image *sass_file_pick_unit(const struct sass_file *file, uint32_t unit,
                                             uint32_t sm)
{
    uint32_t first = 0;
    while (first < file->images && file->image[first].unit != unit)
        first++;
    return first < file->images ? best_of_unit(file, &first, sm) : NULL;
}

const struct sass_image *sass_file_pick(const struct sass_file *file, uint32_t sm)
{
    const struct sass_image *best = NULL;
    for (uint32_t i = 0; i < file->images && !best;)
        best = best_of_unit(file, &i, sm);
    return best;
}

/* Appends "sm_80, " and the like for every different image of a kind. */
static void list_sms(const struct sass_file *file, bool ptx, char *text, size_t size)
{
    bool seen[256] = {false};
    for (uint32_t i = 0; i < file->images; i++) {
        const struct sass_image *image = &file->image[i];
        size_t used = strlen(text);
        if (image->ptx != ptx || image->empty || seen[image->sm & 255])
            continue;
        seen[image->sm & 255] = true;
        (void)snprintf(text + used, size - used, "%s%s_%u", used ? ", " : "",
                       ptx                               ? "PTX for compute"
                       : image->kind == SASS_IMAGE_CUBIN ? "sm"
                                                         : "an intermediate form for",
                       image->sm);
    }
}

enum simsm_status sass_file_require(const struct sass_file *file, const char *name, uint32_t sm,
                                    const struct sass_image **image, struct simsm_error *error)
{
    char found[400] = "";
    *image = sass_file_pick(file, sm);
    if (*image)
        return SIMSM_OK;
    for (uint32_t i = 0; i < file->images; i++) {
        bool wanted = runs_on(&file->image[i], sm);
        if (wanted && sass_image_load(&file->image[i], name, error) != SIMSM_OK)
            return error->status;
    }
    list_sms(file, false, found, sizeof found);
    list_sms(file, true, found, sizeof found);
    if (!found[0])
        return err_at(error, SIMSM_BAD_INPUT, name, 0, 0,
                      "holds no GPU code: it was compiled by nvcc, but has no kernels");
    return err_at(error, SIMSM_BAD_INPUT, name, 0, 0,
                  "has no machine code that runs on sm_%u, but %s; compile it with nvcc "
                  "-arch=sm_%u",
                  sm, found, sm);
}
