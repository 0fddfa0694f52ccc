/* The spec of a sweep, as its YAML file describes it (docs/sweeps.md): configurations x kernels x
 * values. Paths are relative to the current folder. */
#ifndef SIM_SWEEP_SPEC_H
#define SIM_SWEEP_SPEC_H

#include "simsm/error.h"
#include "sweep/axis.h"

/* What the file of a kernel is. */
enum spec_kind { SPEC_TRACE, SPEC_CODE, SPEC_PROGRAM };

/* A kernel of the spec. */
struct spec_kernel {
    char *name; /* unique in the file */
    enum spec_kind kind;
    char *path;             /* of the trace, recording, machine code or program */
    char *launch_file;      /* for SPEC_CODE */
    struct texts program;   /* for SPEC_PROGRAM: the program and its arguments */
    struct texts env;       /* "NAME=value", for the program */
    char *folder;           /* where the program runs; default: the folder of the spec */
    struct texts files;     /* further files that decide the results */
    struct texts params;    /* "name=value" */
    struct texts launches;  /* numbers from 1; empty: all launches */
    struct sweep_axes vary; /* varied for this kernel only */
    bool sample;            /* all launches are one point; only some are timed */
    uint32_t line, column;
};

/* A rule of `only` or `exclude`. It matches a case that has one of the values of each key. */
struct spec_rule {
    struct sweep_axes keys;
    uint32_t line, column;
};

struct spec_rules {
    struct spec_rule *rule; /* [count] */
    uint32_t count;
};

/* The whole spec. */
struct spec {
    char *path, *name, *results;
    struct texts configs;
    struct spec_kernel *kernel; /* [kernels] */
    uint32_t kernels;
    struct sweep_axes vary; /* includes the seeds, as run.seed */
    struct texts set;       /* "key=value" */
    struct spec_rules only, exclude;
    uint64_t max_cycles; /* 0: no limit */
    uint64_t seconds;    /* real time per point; 0: no limit */
    uint64_t memory;     /* bytes per point; 0: no limit */
    uint64_t threads;    /* threads per point; 0: one */
};

/* Reads the spec and checks everything that does not need the files that it names. Call spec_free()
 * whatever it returns. */
enum simsm_status spec_read(struct spec *spec, const char *path, struct simsm_error *error);

/* Does the same with a text. `path` is the file name for messages and relative paths. */
enum simsm_status spec_parse(struct spec *spec, const char *text, size_t size, const char *path,
                             struct simsm_error *error);
void spec_free(struct spec *spec);

/* Fills *error with a message at a place of the spec. Returns SIMSM_BAD_INPUT. */
enum simsm_status spec_fail(const struct spec *spec, uint32_t line, uint32_t column,
                            struct simsm_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
