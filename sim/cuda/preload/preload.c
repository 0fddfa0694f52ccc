/*
 * The library that the loader brings into programs which `simsm run` starts (LD_PRELOAD). If a
 * program contains NVIDIA's runtime (nvcc's default, -cudart static), every function of that
 * runtime is overwritten with a jump to simsm's function, before the program's code runs.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/static_runtime.h"

/*
 * Code of "jmp *0(%rip)", followed by the target address: 14 bytes of the 16 to which compilers
 * align functions.
 */
enum { JUMP = 14, ALIGNMENT = 16 };
static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};

static bool make_writable(unsigned char *code, bool writable)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)code / page * page;
    const uintptr_t end = ((uintptr_t)code + JUMP + page - 1) / page * page;
    return mprotect((void *)begin, end - begin, PROT_READ | (writable ? PROT_WRITE : PROT_EXEC)) ==
           0;
}

/*
 * Overwrites the beginning of a function with a jump to `target`. Returns false if the page cannot
 * be changed.
 */
static bool write_jump(unsigned char *code, const void *target)
{
    if (!make_writable(code, true))
        return false;
    memcpy(code, jump, sizeof jump);
    memcpy(code + sizeof jump, &target, sizeof target);
    return make_writable(code, false);
}

struct graft {
    void *ours;     /* handle of simsm's libcudart */
    uint64_t moved; /* bytes from the addresses in the file to the addresses in memory */
    bool failed;
};

/* Replaces one function if simsm's library has a function of the same name. */
static bool replace(void *context, const struct static_function *function)
{
    struct graft *graft = context;
    const void *target = dlsym(graft->ours, function->name);
    unsigned char *code = (unsigned char *)(uintptr_t)(graft->moved + function->address);
    if (target && (function->room < JUMP || !write_jump(code, target)))
        graft->failed = true;
    return !graft->failed;
}

/* Replaces all functions of the runtime; ends the process if one cannot be replaced. */
static void replace_all(Elf *elf, const char *soname)
{
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header))
        return;
    struct graft graft = {.ours = dlopen(soname, RTLD_NOW | RTLD_LOCAL),
                          .moved = getauxval(AT_ENTRY) - header.e_entry};
    if (!graft.ours) {
        (void)fprintf(stderr, "simsm: %s\n", dlerror());
        _exit(EXIT_FAILURE);
    }
    static_runtime_functions(elf, replace, &graft);
    if (!graft.failed)
        return;
    (void)fprintf(stderr, "simsm: the program's CUDA runtime cannot be replaced: link it with "
                          "`nvcc -cudart shared`\n");
    _exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void begin(void)
{
    int file = getenv("SIMSM_CONFIG") ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(file, ELF_C_READ, NULL);
    const char *soname = elf && elf_kind(elf) == ELF_K_ELF ? static_runtime_soname(elf) : NULL;
    if (soname)
        replace_all(elf, soname);
    (void)elf_end(elf);
    (void)close(file);
}
