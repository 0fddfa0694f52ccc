/* The sections, symbols and relocations of a cubin, which is a 64-bit ELF file. */
#ifndef SIM_SASS_IMAGE_ELF_H
#define SIM_SASS_IMAGE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sass/image/image_keeper.h"
#include "simsm/error.h"

enum { CUBIN_MACHINE = 190 }; /* EM_CUDA */

struct cubin_section {
    const char *name;
    uint32_t type, info, link;
    uint64_t flags, size, align;
    const uint8_t *data; /* [size]; NULL if the file has no bytes of it */
};

struct cubin_symbol {
    const char *name;
    uint8_t type, other;
    uint32_t section; /* 0: undefined; always below `sections` */
    uint64_t value, size;
};

struct cubin {
    const char *name; /* for messages */
    uint32_t sm;
    bool linked; /* if false, calls and variables of other objects have no addresses */
    struct cubin_section *section; /* [sections]; section 0 is empty */
    uint32_t sections;
    struct cubin_symbol *symbol; /* [symbols]; symbol 0 is empty */
    uint32_t symbols;
};

struct cubin_relocation {
    uint64_t offset;
    uint32_t type;
    const struct cubin_symbol *symbol;
    bool has_addend; /* if false, the relocated field holds the addend */
    uint64_t addend;
};

/* Returns whether the bytes begin a 64-bit ELF file for NVIDIA GPUs. */
bool cubin_recognise(const void *data, size_t size);
/* Returns the SM of the code in a cubin, from its ELF header; 0 if the header is cut off. */
uint32_t cubin_sm(const void *data, size_t size);

/*
 * Returns whether the section headers show code or variables (some libraries have modules of
 * variables alone); true if they are damaged.
 */
bool cubin_has_content(const void *data, size_t size);

/*
 * Reads a cubin. *cubin points into `data`, which must outlive it, and into memory of the keeper.
 * Keeps the pointer `name`.
 */
enum simsm_status cubin_read(struct cubin *cubin, struct keeper *keeper, void *data, size_t size,
                             const char *name, struct simsm_error *error);

/* Returns the index of the first section of this name, or 0. */
uint32_t cubin_find(const struct cubin *cubin, const char *name);

/*
 * Returns the number of relocations in `section`, 0 if it holds something else. They apply to the
 * section whose index is `info`.
 */
size_t cubin_relocations(const struct cubin *cubin, uint32_t section);
/* Fills *relocation with relocation `index` of `section`. */
enum simsm_status cubin_relocation(const struct cubin *cubin, uint32_t section, size_t index,
                                   struct cubin_relocation *relocation, struct simsm_error *error);

#endif
