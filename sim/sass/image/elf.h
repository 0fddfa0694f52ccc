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
    bool linked; /* else calls and variables of other objects have no addresses yet */
    struct cubin_section *section; /* [sections]; 0 is empty */
    uint32_t sections;
    struct cubin_symbol *symbol; /* [symbols]; 0 is empty */
    uint32_t symbols;
};

struct cubin_relocation {
    uint64_t offset;
    uint32_t type;
    const struct cubin_symbol *symbol;
    bool has_addend; /* else it is what the relocated field holds */
    uint64_t addend;
};

/* Whether the bytes begin a 64-bit ELF file of NVIDIA's machine. */
bool cubin_recognise(const void *data, size_t size);
/* The SM of the code in a cubin: only its header is read; 0: the header is cut. */
uint32_t cubin_sm(const void *data, size_t size);

/* Whether its section headers show executable bytes. */
bool cubin_has_code(const void *data, size_t size);

/* Reads a cubin. All that *cubin points to is in `data`, which must outlive it, or the
 * keeper's. `name` is kept. */
enum simsm_status cubin_read(struct cubin *cubin, struct keeper *keeper, void *data, size_t size,
                             const char *name, struct simsm_error *error);

/* The first section of this name, or 0. */
uint32_t cubin_find(const struct cubin *cubin, const char *name);

/* Relocations that `section` holds, 0 if it holds something else; they are for section `info`. */
size_t cubin_relocations(const struct cubin *cubin, uint32_t section);
/* One of them. */
enum simsm_status cubin_relocation(const struct cubin *cubin, uint32_t section, size_t index,
                                   struct cubin_relocation *relocation, struct simsm_error *error);

#endif
