/* Finds the program of `simsm run` and reads from its ELF file which CUDA runtime it uses. */
#include "cli/host_program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

/* The names of the runtime library, by toolkit. simsm provides a library for each of them. */
static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};
enum { RUNTIMES = sizeof runtimes / sizeof runtimes[0] };

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool find_in_path(struct host_program *program, const char *name)
{
    const char *folder = getenv("PATH");
    for (; folder && *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
        int length = (int)strcspn(folder, ":");
        int whole = snprintf(program->path, sizeof program->path, "%.*s/%s", length, folder, name);
        if (length && whole > 0 && (size_t)whole < sizeof program->path &&
            is_program(program->path))
            return true;
    }
    return false;
}

static enum simsm_status find(struct host_program *program, const char *name,
                              struct simsm_error *error)
{
    if (!strchr(name, '/') && find_in_path(program, name))
        return SIMSM_OK;
    if (strlen(name) >= sizeof program->path)
        return err_set(error, SIMSM_BAD_INPUT, "the name of the program is too long");
    memcpy(program->path, name, strlen(name) + 1);
    if (strchr(name, '/') && is_program(name))
        return SIMSM_OK;
    if (access(name, F_OK) != 0)
        return err_at(
            error, SIMSM_BAD_INPUT, name, 0, 0, "no such program%s",
            strchr(name, '/') ? "" : "; for a program in this folder write ./ before its name");
    return err_at(error, SIMSM_BAD_INPUT, name, 0, 0, "is not an executable file%s",
                  strchr(name, '/') ? ""
                                    : "; for a program in this folder write ./ before its name");
}

/* Whether a library belongs to C or C++: it brings no use of CUDA along. */
static bool is_of_language(const char *library)
{
    static const char *const names[] = {"libc.so.",      "libm.so.",       "libdl.so.",
                                        "librt.so.",     "libpthread.so.", "libstdc++.so.",
                                        "libgcc_s.so.",  "libc++.so.",     "libc++abi.so.",
                                        "libunwind.so.", "ld-linux",       "libgomp.so."};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool calls_dlopen(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;
    for (size_t i = 0; i < count && i <= INT32_MAX && gelf_getsym(data, (int)i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF && name && strcmp(name, "dlopen") == 0)
            return true;
    }
    return false;
}

/* Reads one entry of the dynamic section; `text` is the string of the entry. */
static void read_entry(struct host_program *program, const GElf_Dyn *entry, const char *text)
{
    static const char runtime[] = "libcudart.so.", driver[] = "libcuda.so.";
    if (!text)
        return;
    if (entry->d_tag == DT_RPATH)
        (void)snprintf(program->rpath, sizeof program->rpath, "%s", text);
    if (entry->d_tag != DT_NEEDED)
        return;
    if (strncmp(text, runtime, sizeof runtime - 1) == 0)
        (void)snprintf(program->runtime, sizeof program->runtime, "%s", text);
    if (strncmp(text, driver, sizeof driver - 1) == 0)
        program->needs_driver = true;
    program->may_load |= !is_of_language(text);
}

static void read_dynamic(struct host_program *program, Elf *elf, Elf_Scn *section,
                         const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    bool has_runpath = false;
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count && i <= INT32_MAX && gelf_getdyn(data, (int)i, &entry); i++) {
        has_runpath |= entry.d_tag == DT_RUNPATH;
        if (entry.d_tag == DT_NEEDED || entry.d_tag == DT_RPATH)
            read_entry(program, &entry, elf_strptr(elf, header->sh_link, entry.d_un.d_val));
    }
    if (has_runpath) /* then the loader ignores DT_RPATH */
        program->rpath[0] = '\0';
}

/* Returns whether constants of the program name the driver, as in a runtime that is linked in. */
static bool names_driver(Elf_Scn *section)
{
    static const char driver[] = "libcuda.so.1";
    const Elf_Data *data = elf_getdata(section, NULL);
    const char *at = data ? data->d_buf : NULL;
    size_t left = at ? data->d_size : 0;
    for (const char *next; left >= sizeof driver; at = next + 1) {
        next = memchr(at, driver[0], left - sizeof driver + 1);
        if (!next || memcmp(next, driver, sizeof driver) == 0)
            return next != NULL;
        left -= (size_t)(next + 1 - at);
    }
    return false;
}

static void read_sections(struct host_program *program, Elf *elf)
{
    size_t names;
    program->is_static = true;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (name && (strcmp(name, ".nv_fatbin") == 0 || strcmp(name, "__nv_relfatbin") == 0))
            program->has_device_code = true;
        if (header.sh_type == SHT_DYNSYM)
            program->may_load |= calls_dlopen(elf, section, &header);
        if (name && strcmp(name, ".rodata") == 0 && names_driver(section))
            program->needs_driver = true;
        if (header.sh_type != SHT_DYNAMIC)
            continue;
        program->is_static = false;
        read_dynamic(program, elf, section, &header);
    }
}

static enum simsm_status read_program(struct host_program *program, int file,
                                      struct simsm_error *error)
{
    char begin[2] = "";
    if (pread(file, begin, sizeof begin, 0) == sizeof begin && memcmp(begin, "#!", 2) == 0) {
        program->is_script = true;
        return SIMSM_OK;
    }
    Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(file, ELF_C_READ, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        (void)elf_end(elf);
        return err_at(error, SIMSM_BAD_INPUT, program->path, 0, 0,
                      "is neither a program (ELF) nor a script");
    }
    read_sections(program, elf);
    (void)elf_end(elf);
    return SIMSM_OK;
}

enum simsm_status host_program_inspect(struct host_program *program, const char *name,
                                       struct simsm_error *error)
{
    *program = (struct host_program){0};
    enum simsm_status status = find(program, name, error);
    if (status != SIMSM_OK)
        return status;
    int file = open(program->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return err_at(error, SIMSM_BAD_INPUT, program->path, 0, 0, "cannot be read: %s",
                      strerror(errno));
    status = read_program(program, file, error);
    (void)close(file);
    return status;
}

static enum simsm_status refuse(const struct host_program *program, struct simsm_error *error,
                                const char *why)
{
    return err_at(error, SIMSM_BAD_INPUT, program->path, 0, 0, "%s", why);
}

enum simsm_status host_program_check(const struct host_program *program, struct simsm_error *error)
{
    if (program->is_script)
        return SIMSM_OK;
    for (int i = 0; i < RUNTIMES; i++) {
        if (strcmp(program->runtime, runtimes[i]) == 0)
            return SIMSM_OK;
    }
    if (program->runtime[0])
        return err_at(error, SIMSM_BAD_INPUT, program->path, 0, 0,
                      "needs %s; simsm replaces the runtime libraries of CUDA 11, 12 and 13",
                      program->runtime);
    const bool uses_cuda = program->has_device_code || program->needs_driver;
    if (uses_cuda && program->is_static)
        return refuse(program, error,
                      "was linked with -static, so that it cannot load simsm's driver; link it "
                      "without -static");
    if (uses_cuda || program->may_load)
        return SIMSM_OK;
    return refuse(program, error,
                  "uses no CUDA runtime; add --any if one of its libraries, or a program that it "
                  "starts, uses it");
}

void host_program_warn(const struct host_program *program)
{
    struct simsm_error error;
    const bool may_do = !program->needs_driver && !program->has_device_code && !program->runtime[0];
    if (may_do || host_program_check(program, &error) == SIMSM_OK)
        return;
    (void)fprintf(stderr, "simsm: warning: %s: %s; started because of --any\n", error.file,
                  error.message);
}

static bool has_runtime(const char *folder)
{
    char name[4096 + 64];
    (void)snprintf(name, sizeof name, "%s/%s", folder, runtimes[0]);
    return access(name, R_OK) == 0;
}

enum simsm_status host_program_runtime_folder(char *folder, size_t size, struct simsm_error *error)
{
    static const char *const beside[] = {"cuda", SIMSM_CUDADIR_FROM_BIN};
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof beside / sizeof beside[0]; i++) {
        int whole = snprintf(folder, size, "%s/%s", self, beside[i]);
        if (whole > 0 && (size_t)whole < size && has_runtime(folder))
            return SIMSM_OK;
    }
    (void)snprintf(folder, size, "%s", SIMSM_CUDADIR);
    if (has_runtime(folder))
        return SIMSM_OK;
    return err_set(
        error, SIMSM_FAILED,
        "%s was found neither beside the command nor in %s; build or install all of simsm",
        runtimes[0], SIMSM_CUDADIR);
}
