/* Reads the sections, symbols and relocations of a cubin. */
#include "sass/image/elf.h"

#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/err.h"
#include "sass/image/image_bytes.h"

enum { OSABI_13 = 0x41 }; /* EI_OSABI from toolkit 13.0 on; 0x33 in older ones */

static enum simsm_status damaged(const struct cubin *cubin, const char *what,
                                 struct simsm_error *error)
{
    return err_at(error, SIMSM_BAD_INPUT, cubin->name, 0, 0,
                  "is a damaged cubin: %s; make it again, or extract it again", what);
}

bool cubin_recognise(const void *data, size_t size)
{
    const uint8_t *byte = data;
    return size >= 20 && memcmp(byte, ELFMAG, SELFMAG) == 0 && byte[EI_CLASS] == ELFCLASS64 &&
           byte[EI_DATA] == ELFDATA2LSB && load16(byte + 18) == CUBIN_MACHINE;
}

/* ptxas 11.8 to 12.9 writes the SM into bits 7:0, ptxas 13.0 into bits 15:8 (observed). */
uint32_t cubin_sm(const void *data, size_t size)
{
    const uint8_t *byte = data;
    if (size < sizeof(Elf64_Ehdr))
        return 0;
    uint32_t flags = load32(byte + offsetof(Elf64_Ehdr, e_flags));
    return byte[EI_OSABI] == OSABI_13 ? flags >> 8 & 0xff : flags & 0xff;
}

bool cubin_has_content(const void *data, size_t size)
{
    const uint8_t *byte = data;
    if (size < sizeof(Elf64_Ehdr))
        return false;
    uint64_t table = load64(byte + offsetof(Elf64_Ehdr, e_shoff));
    uint32_t count = load16(byte + offsetof(Elf64_Ehdr, e_shnum));
    if (count == 0 || table > size || (size - table) / sizeof(Elf64_Shdr) < count)
        return true; /* damaged, or too many sections for this field */
    for (const uint8_t *header = byte + table; count > 0; count--, header += sizeof(Elf64_Shdr))
        if (load64(header + offsetof(Elf64_Shdr, sh_flags)) & (SHF_EXECINSTR | SHF_WRITE) &&
            load64(header + offsetof(Elf64_Shdr, sh_size)) != 0)
            return true;
    return false;
}

/* Returns a string of a table; NULL if it lies outside or is not terminated. */
static const char *string_at(const struct cubin_section *table, uint64_t offset)
{
    if (!table->data || offset >= table->size)
        return NULL;
    const uint8_t *text = table->data + offset;
    return memchr(text, '\0', table->size - offset) ? (const char *)text : NULL;
}

static enum simsm_status read_section(struct cubin *cubin, Elf *elf, uint32_t index,
                                      const uint8_t *file, size_t size, struct simsm_error *error)
{
    struct cubin_section *section = &cubin->section[index];
    GElf_Shdr header; /* a copy, as the header may be unaligned in the file */
    if (!gelf_getshdr(elf_getscn(elf, index), &header))
        return damaged(cubin, "a section header is missing", error);
    section->name = "";
    section->type = header.sh_type;
    section->info = header.sh_info;
    section->link = header.sh_link;
    section->flags = header.sh_flags;
    section->size = header.sh_size;
    section->align = header.sh_addralign ? header.sh_addralign : 1;
    /* In objects, sections without bytes have types of NVIDIA's own; such sections are not read. */
    if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL || header.sh_size == 0)
        return SIMSM_OK;
    if (header.sh_offset > size || header.sh_size > size - header.sh_offset)
        return damaged(cubin, "a section is not within the file, which may be cut", error);
    section->data = file + header.sh_offset;
    return SIMSM_OK;
}

static enum simsm_status read_sections(struct cubin *cubin, struct keeper *keeper, Elf *elf,
                                       const uint8_t *file, size_t size, struct simsm_error *error)
{
    size_t count, names;
    if (elf_getshdrnum(elf, &count) != 0 || elf_getshdrstrndx(elf, &names) != 0 || count == 0 ||
        names >= count || count > UINT32_MAX)
        return damaged(cubin, "it has no table of sections; the file may be cut", error);
    cubin->section = keeper_take(keeper, count, sizeof *cubin->section);
    if (!cubin->section)
        return err_no_memory(error);
    cubin->sections = (uint32_t)count;
    for (uint32_t i = 0; i < cubin->sections; i++) {
        enum simsm_status status = read_section(cubin, elf, i, file, size, error);
        if (status != SIMSM_OK)
            return status;
    }
    for (uint32_t i = 1; i < cubin->sections; i++) {
        GElf_Shdr header;
        bool found = gelf_getshdr(elf_getscn(elf, i), &header) != NULL;
        cubin->section[i].name = found ? string_at(&cubin->section[names], header.sh_name) : NULL;
        if (!cubin->section[i].name)
            return damaged(cubin, "a section has no name", error);
    }
    return SIMSM_OK;
}

static enum simsm_status read_symbol(const struct cubin *cubin, struct cubin_symbol *symbol,
                                     const struct cubin_section *table, const uint8_t *at,
                                     struct simsm_error *error)
{
    Elf64_Sym raw;
    memcpy(&raw, at, sizeof raw);
    symbol->type = ELF64_ST_TYPE(raw.st_info);
    symbol->other = raw.st_other;
    symbol->section = raw.st_shndx >= SHN_LORESERVE ? 0 : raw.st_shndx;
    symbol->value = raw.st_value;
    symbol->size = raw.st_size;
    symbol->name = string_at(&cubin->section[table->link], raw.st_name);
    if (!symbol->name || symbol->section >= cubin->sections)
        return damaged(cubin, "a symbol has no name, or is in no section", error);
    /* The symbol of a section has the section's name, whatever the string table says. */
    if (symbol->type == STT_SECTION)
        symbol->name = cubin->section[symbol->section].name;
    return SIMSM_OK;
}

static enum simsm_status read_symbols(struct cubin *cubin, struct keeper *keeper,
                                      struct simsm_error *error)
{
    const struct cubin_section *table = NULL;
    for (uint32_t i = 1; i < cubin->sections && !table; i++)
        if (cubin->section[i].type == SHT_SYMTAB)
            table = &cubin->section[i];
    if (!table || !table->data || table->link >= cubin->sections)
        return damaged(cubin, "it has no symbols", error);
    size_t count = table->size / sizeof(Elf64_Sym);
    cubin->symbol = keeper_take(keeper, count, sizeof *cubin->symbol);
    if (!cubin->symbol)
        return err_no_memory(error);
    cubin->symbols = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        enum simsm_status status = read_symbol(cubin, &cubin->symbol[i], table,
                                               table->data + i * sizeof(Elf64_Sym), error);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

static enum simsm_status read_all(struct cubin *cubin, struct keeper *keeper, Elf *elf,
                                  const uint8_t *file, size_t size, struct simsm_error *error)
{
    GElf_Ehdr header;
    if (!elf || !gelf_getehdr(elf, &header))
        return damaged(cubin, elf_errmsg(-1), error);
    if (header.e_phoff > size ||
        (size - header.e_phoff) / sizeof(Elf64_Phdr) < header.e_phnum) /* often at the end */
        return damaged(cubin, "its program headers are not within the file, which may be cut",
                       error);
    cubin->linked = header.e_type == ET_EXEC;
    enum simsm_status status = read_sections(cubin, keeper, elf, file, size, error);
    return status == SIMSM_OK ? read_symbols(cubin, keeper, error) : status;
}

enum simsm_status cubin_read(struct cubin *cubin, struct keeper *keeper, void *data, size_t size,
                             const char *name, struct simsm_error *error)
{
    *cubin = (struct cubin){.name = name, .sm = cubin_sm(data, size)};
    if (!cubin_recognise(data, size))
        return err_at(error, SIMSM_BAD_INPUT, name, 0, 0,
                      "is not a cubin: a 64-bit ELF file for NVIDIA's GPUs is expected");
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_memory(data, size);
    enum simsm_status status = read_all(cubin, keeper, elf, data, size, error);
    (void)elf_end(elf);
    return status;
}

uint32_t cubin_find(const struct cubin *cubin, const char *name)
{
    for (uint32_t i = 1; i < cubin->sections; i++)
        if (strcmp(cubin->section[i].name, name) == 0)
            return i;
    return 0;
}

static size_t entry_size(const struct cubin_section *section)
{
    return section->type == SHT_RELA  ? sizeof(Elf64_Rela)
           : section->type == SHT_REL ? sizeof(Elf64_Rel)
                                      : 0;
}

size_t cubin_relocations(const struct cubin *cubin, uint32_t section)
{
    size_t size = entry_size(&cubin->section[section]);
    return size && cubin->section[section].data ? cubin->section[section].size / size : 0;
}

enum simsm_status cubin_relocation(const struct cubin *cubin, uint32_t section, size_t index,
                                   struct cubin_relocation *relocation, struct simsm_error *error)
{
    const struct cubin_section *holder = &cubin->section[section];
    const uint8_t *at = holder->data + index * entry_size(holder);
    uint64_t info = load64(at + offsetof(Elf64_Rela, r_info));
    uint32_t symbol = (uint32_t)ELF64_R_SYM(info);
    if (symbol >= cubin->symbols || holder->info >= cubin->sections)
        return damaged(cubin, "a relocation is for something that does not exist", error);
    relocation->offset = load64(at);
    relocation->type = (uint32_t)ELF64_R_TYPE(info);
    relocation->symbol = &cubin->symbol[symbol];
    relocation->has_addend = holder->type == SHT_RELA;
    relocation->addend = relocation->has_addend ? load64(at + offsetof(Elf64_Rela, r_addend)) : 0;
    return SIMSM_OK;
}
