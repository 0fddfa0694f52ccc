/* What a host program is that `simsm run` is to start: found out before it is started. */
#ifndef SIM_CLI_CLI_PROGRAM_H
#define SIM_CLI_CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

struct program {
    char path[4096];      /* as exec takes it */
    bool is_script;       /* begins with #! */
    bool has_device_code; /* fatbins of its own */
    bool needs_driver;    /* libcuda.so */
    char runtime[64];     /* "libcudart.so.13"; "": none among the libraries that it names */
    const char
        *inside;      /* ours for a runtime that is linked in (cuda/static_runtime.h); NULL: none */
    char library[64]; /* "libcublas.so.13": the last one that needs the driver; "": none */
    char rpath[4096]; /* DT_RPATH, which goes before LD_LIBRARY_PATH; "" */
};

/* Finds `name` as a shell does and reads what it is. */
enum simsm_status program_inspect(struct program *program, const char *name,
                                  struct simsm_error *error);

/* Refuses a program that would not reach our runtime, and says what to do about it. */
enum simsm_status program_check(const struct program *program, struct simsm_error *error);

/* Says on stderr what program_check would, of a program that shows that it uses CUDA. */
void program_warn(const struct program *program);

/* Says on stderr that functions of a library that the program names will fail, if there is one. */
void program_warn_library(const struct program *program);

/* The folder with our libcudart, beside the command or installed. */
enum simsm_status program_runtime_folder(char *folder, size_t size, struct simsm_error *error);

#endif
