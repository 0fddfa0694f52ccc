/*
 * Checks a plug-in before it is loaded: it is a shared object for this machine, it has no
 * variables, and it calls no function that makes runs differ. A variable would be shared by all
 * SMs, threads and runs of the process, and a snapshot would lack it; the memory of a policy
 * belongs into its state.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "plugin/plugin_parts.h"

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE }; /* the dynamic linker reports other machines */
#endif

/* Returns false for the sections that the linker makes: they are written at most once, when the
 * plug-in is loaded. */
static bool is_variable_section(Elf *elf, size_t index)
{
    static const char *const made[] = {".data.rel.ro", ".init_array", ".fini_array", ".ctors",
                                       ".dtors",       ".dynamic",    ".got",        ".got.plt"};
    GElf_Shdr head;
    size_t names;
    Elf_Scn *section = elf_getscn(elf, index);
    if (!section || !gelf_getshdr(section, &head) || !(head.sh_flags & SHF_WRITE) ||
        elf_getshdrstrndx(elf, &names) != 0)
        return false;
    const char *name = elf_strptr(elf, names, head.sh_name);
    for (size_t i = 0; name && i < sizeof made / sizeof made[0]; i++) {
        if (strcmp(name, made[i]) == 0 || strncmp(name, ".data.rel.ro.", 13) == 0)
            return false;
    }
    return name != NULL;
}

/* Returns true for symbols that compilers and their start files add. */
static bool is_runtime(const char *name)
{
    return strncmp(name, "__", 2) == 0 || strncmp(name, "_DYNAMIC", 8) == 0 ||
           strncmp(name, "_GLOBAL_OFFSET_TABLE_", 21) == 0 || strncmp(name, "DW.ref.", 7) == 0 ||
           strncmp(name, "completed.", 10) == 0;
}

/* Returns the name of the first variable in a symbol table, or NULL. */
static const char *variable_of(Elf *elf, Elf_Scn *section, const GElf_Shdr *head, uint64_t *bytes)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
    for (size_t i = 0; data && i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || !symbol.st_size ||
            symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE)
            continue;
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(elf, head->sh_link, symbol.st_name);
        if ((type != STT_OBJECT && type != STT_TLS) || !name || is_runtime(name) ||
            !is_variable_section(elf, symbol.st_shndx))
            continue;
        *bytes = symbol.st_size;
        return name;
    }
    return NULL;
}

static enum simsm_status check_variables(Elf *elf, const char *path, struct simsm_error *error)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr head;
        uint64_t bytes = 0;
        if (!gelf_getshdr(section, &head) ||
            (head.sh_type != SHT_SYMTAB && head.sh_type != SHT_DYNSYM))
            continue;
        const char *name = variable_of(elf, section, &head, &bytes);
        if (name)
            return err_set(error, SIMSM_BAD_INPUT,
                           "%.300s: has a variable of its own, '%.100s' (%llu bytes); declare it "
                           "const if it never changes, or keep it in the policy's state",
                           path, name, (unsigned long long)bytes);
    }
    return SIMSM_OK;
}

/* Functions that a policy must not call, as patterns of symbols, and the advice for each. */
static const struct {
    const char *patterns; /* patterns, separated by spaces */
    const char *instead;
} refused[] = {
    {"rand srand random srandom initstate setstate drand48 lrand48 mrand48 srand48 seed48 lcong48 "
     "getrandom getentropy arc4random arc4random_* _ZNSt13random_device*",
     "so that runs would not repeat; keep a generator in the policy's state, begun with "
     "setup->seed"},
    {"time clock clock_gettime gettimeofday timespec_get times ftime getrusage "
     "_ZNSt6chrono*_clock3nowEv",
     "so that runs would not repeat; a policy's time is view->cycle"},
    {"getpid gettid pthread_self sched_getcpu",
     "so that runs would not repeat; which part of the GPU asks is view->sm and "
     "view->sub_partition"},
    {"_exit _Exit quick_exit", "which ends the program without a result; a policy must return"},
};

/* Returns the advice against calling `name`, or NULL if a policy may call it. */
static const char *instead_of(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *at = refused[i].patterns;
        for (size_t length; (length = strcspn(at, " ")) != 0; at += length + (at[length] == ' ')) {
            char pattern[64];
            (void)snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
            if (fnmatch(pattern, name, 0) == 0)
                return refused[i].instead;
        }
    }
    return NULL;
}

static enum simsm_status check_calls(Elf *elf, const char *path, struct simsm_error *error)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr head;
        GElf_Sym symbol;
        if (!gelf_getshdr(section, &head) || head.sh_type != SHT_DYNSYM || !head.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < head.sh_size / head.sh_entsize; i++) {
            if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF)
                continue;
            const char *name = elf_strptr(elf, head.sh_link, symbol.st_name);
            const char *instead = name ? instead_of(name) : NULL;
            if (instead)
                return err_set(error, SIMSM_BAD_INPUT, "%.300s: calls '%.100s', %s", path, name,
                               instead);
        }
    }
    return SIMSM_OK;
}

static enum simsm_status check_head(Elf *elf, const char *path, struct simsm_error *error)
{
    GElf_Ehdr head;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head))
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: is no ELF file; a plugin is a shared object, made by cc -shared "
                       "-fPIC",
                       path);
    if (head.e_type != ET_DYN)
        return err_set(
            error, SIMSM_BAD_INPUT,
            "%.300s: is an ELF file, but no shared object; compile it with -shared -fPIC", path);
    if (MACHINE != EM_NONE && head.e_machine != MACHINE)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: was compiled for another machine (ELF machine %u, this one is %u)",
                       path, head.e_machine, (unsigned)MACHINE);
    return SIMSM_OK;
}

/* Refuses a file that has been cut off: the dynamic linker would access pages behind its end. */
static enum simsm_status check_whole(Elf *elf, off_t size, const char *path,
                                     struct simsm_error *error)
{
    size_t count = 0;
    GElf_Phdr part;
    bool whole = elf_getphdrnum(elf, &count) == 0 && count > 0;
    for (size_t i = 0; whole && i < count; i++)
        whole = gelf_getphdr(elf, (int)i, &part) && part.p_offset <= (uint64_t)size &&
                part.p_filesz <= (uint64_t)size - part.p_offset;
    return whole ? SIMSM_OK
                 : err_set(error, SIMSM_BAD_INPUT,
                           "%.300s: is cut off: it has %lld bytes, and parts that lie behind them",
                           path, (long long)size);
}

enum simsm_status plugin_check_file(const char *path, struct simsm_error *error)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return err_set(error, SIMSM_BAD_INPUT, "%.300s: cannot be read", path);
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    enum simsm_status status = check_head(elf, path, error);
    if (status == SIMSM_OK)
        status = check_whole(elf, lseek(fd, 0, SEEK_END), path, error);
    if (status == SIMSM_OK)
        status = check_variables(elf, path, error);
    if (status == SIMSM_OK)
        status = check_calls(elf, path, error);
    (void)elf_end(elf);
    (void)close(fd);
    return status;
}
