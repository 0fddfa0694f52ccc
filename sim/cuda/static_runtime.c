/* Finds NVIDIA's runtime inside a program, by the program's symbol table. */
#include "cuda/static_runtime.h"

#include <gelf.h>
#include <stddef.h>
#include <string.h>

static Elf_Scn *symbol_section(Elf *elf, GElf_Shdr *header)
{
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section))
        if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
            return section;
    return NULL;
}

/*
 * Returns the bytes that may be overwritten from the beginning of a function. Functions at a
 * multiple of 16 own the padding up to the next multiple of 16 or to the end of the section.
 */
static uint64_t room_of(Elf *elf, const GElf_Sym *symbol)
{
    enum { ALIGNMENT = 16 };
    GElf_Shdr code;
    if (symbol->st_value % ALIGNMENT != 0 ||
        !gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &code) ||
        symbol->st_value - code.sh_addr >= code.sh_size)
        return symbol->st_size;
    uint64_t whole = (symbol->st_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint64_t left = code.sh_size - (symbol->st_value - code.sh_addr);
    return whole < left ? whole : left;
}

static bool is_runtime_name(const char *name)
{
    return strncmp(name + (strncmp(name, "__", 2) == 0 ? 2 : 0), "cuda", 4) == 0;
}

void static_runtime_functions(Elf *elf,
                              bool (*take)(void *context, const struct static_function *function),
                              void *context)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Scn *section = symbol_section(elf, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    size_t count = data && header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
    for (size_t i = 0; i < count && i <= INT32_MAX && gelf_getsym(data, (int)i, &symbol); i++) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
            continue;
        struct static_function function = {.name = elf_strptr(elf, header.sh_link, symbol.st_name),
                                           .address = symbol.st_value,
                                           .room = room_of(elf, &symbol)};
        if (function.name && is_runtime_name(function.name) && !take(context, &function))
            return;
    }
}

/*
 * Returns whether the program is for x86-64 and starts through the loader, which can preload a
 * library.
 */
static bool has_loader(Elf *elf)
{
    GElf_Ehdr whole;
    GElf_Phdr part;
    size_t count;
    if (!gelf_getehdr(elf, &whole) || whole.e_machine != EM_X86_64 ||
        elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count && i <= INT32_MAX; i++)
        if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_INTERP)
            return true;
    return false;
}

/*
 * Functions that only the runtimes of some toolkits have. The static runtime is one object file, so
 * a program has all of its functions or none.
 */
struct toolkit_signs {
    bool runtime; /* a runtime of any toolkit */
    bool before_12;
    bool only_12;
};

static bool note_sign(void *context, const struct static_function *function)
{
    struct toolkit_signs *signs = context;
    const char *name = function->name;
    signs->runtime |= strcmp(name, "__cudaRegisterFatBinary") == 0;
    signs->before_12 |= strcmp(name, "cudaBindTexture") == 0;
    signs->only_12 |= strcmp(name, "cudaGetDeviceProperties_v2") == 0;
    return true;
}

const char *static_runtime_soname(Elf *elf)
{
    struct toolkit_signs signs = {0};
    if (!has_loader(elf))
        return NULL;
    static_runtime_functions(elf, note_sign, &signs);
    if (!signs.runtime)
        return NULL;
    return signs.before_12 ? "libcudart.so.11.0"
           : signs.only_12 ? "libcudart.so.12"
                           : "libcudart.so.13";
}
