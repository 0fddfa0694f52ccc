/* The program that `simsm run` is to start: its path, its libraries and its CUDA runtime. */
#ifndef SIM_CLI_HOST_PROGRAM_H
#define SIM_CLI_HOST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/* Filled by host_program_inspect(). */
struct host_program {
    char path[4096];      /* for exec */
    bool is_script;       /* begins with "#!" */
    bool has_device_code; /* has a section with fatbins */
    bool is_static;       /* has no dynamic section: it was linked with -static */
    bool needs_driver;    /* links to libcuda.so, or names it to load it */
    bool may_load;        /* has a library besides those of C and C++, or calls dlopen: one that is
                             loaded may use CUDA */
    char runtime[64];     /* "libcudart.so.13"; "": links to none */
    char rpath[4096];     /* DT_RPATH, which the loader searches before LD_LIBRARY_PATH; "": none */
};

/* Finds `name` as a shell does (in PATH if it has no slash) and reads its ELF file. Returns
 * SIMSM_BAD_INPUT if there is no such program or it is neither ELF nor a script. */
enum simsm_status host_program_inspect(struct host_program *program, const char *name,
                                       struct simsm_error *error);

/* Returns SIMSM_BAD_INPUT, with advice, if the program would not use simsm's runtime library. A
 * script passes. */
enum simsm_status host_program_check(const struct host_program *program, struct simsm_error *error);

/* Prints the message of host_program_check() as a warning, for --any. Prints nothing if the program
 * shows no use of CUDA: a library or a child process may use it. */
void host_program_warn(const struct host_program *program);

/* Writes the folder of simsm's libcudart into folder[size]: beside the executable of simsm, or
 * where simsm was installed. Returns SIMSM_FAILED if neither has the library. */
enum simsm_status host_program_runtime_folder(char *folder, size_t size, struct simsm_error *error);

#endif
