/*
 * What a sweep is to run, as its YAML file says it (docs/sweeps.md): configurations x kernels x
 * values. Paths are as seen from the current folder.
 */
#ifndef SIM_SWEEP_SPEC_H
#define SIM_SWEEP_SPEC_H

#include "simsm/error.h"
#include "sweep/axis.h"

enum spec_kind { SPEC_TRACE, SPEC_CODE, SPEC_PROGRAM };

struct spec_kernel {
    char *name; /* unique in the file */
    enum spec_kind kind;
    char *path;             /* of the trace, recording, machine code or program */
    char *launch_file;      /* SPEC_CODE */
    struct texts program;   /* SPEC_PROGRAM: with its arguments, the first as exec takes it */
    struct texts env;       /* "NAME=value" for the program */
    char *folder;           /* in which the program runs; NULL: the folder of the spec */
    struct texts files;     /* that are read beside those above */
    struct texts params;    /* "name=value" */
    struct texts launches;  /* numbers from 1; none: all */
    struct sweep_axes vary; /* of this kernel alone */
    bool sample;            /* all launches are one point, of which some are timed */
    uint32_t line, column;
};

/* A point matches if it has, for each key, one of its values. */
struct spec_rule {
    struct sweep_axes keys;
    uint32_t line, column;
};

struct spec_rules {
    struct spec_rule *rule; /* [count] */
    uint32_t count;
};

struct spec {
    char *path, *name, *results;
    struct texts configs;
    struct spec_kernel *kernel; /* [kernels] */
    uint32_t kernels;
    struct sweep_axes vary; /* seeds are among them, as run.seed */
    struct texts set;       /* "key=value" */
    struct spec_rules only, exclude;
    uint64_t max_cycles; /* 0: no limit */
    uint64_t seconds;    /* of real time for a point; 0: no limit */
    uint64_t memory;     /* bytes for a point; 0: no limit */
    uint64_t threads;    /* that simulate a point; 0: one */
};

/* Reads and checks all that does not need the files that it names. Call spec_free whatever it
 * returns. */
enum simsm_status spec_read(struct spec *spec, const char *path, struct simsm_error *error);
/* The same of a text; `path` is where it is said to be from. */
enum simsm_status spec_parse(struct spec *spec, const char *text, size_t size, const char *path,
                             struct simsm_error *error);
void spec_free(struct spec *spec);

/* A failure with the place of something in the spec; returns SIMSM_BAD_INPUT. */
enum simsm_status spec_fail(const struct spec *spec, uint32_t line, uint32_t column,
                            struct simsm_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
