/*
 * A fragment: the result of one point as a file, in a folder that several machines share. Each task
 * writes fragments of its own points; one process brings them into the file of results. A fragment
 * is complete or absent.
 */
#ifndef SIM_SWEEP_FRAGMENT_H
#define SIM_SWEEP_FRAGMENT_H

#include <stdbool.h>

#include "simsm/error.h"
#include "sweep/hash.h"
#include "sweep/sweep_outcome.h"

enum { FRAGMENT_REASON = 1400 };

/* The content of a fragment. */
struct fragment {
    struct sweep_outcome outcome;
    char reason[FRAGMENT_REASON]; /* why the point failed; "": it is done */
    double seconds;               /* from its start to its end */
};

/* Writes the fragment of a point. On failure no file is left. */
enum simsm_status fragment_write(const char *folder, const char identity[HASH_TEXT],
                                 const struct fragment *fragment, struct simsm_error *error);

/* Reads the fragment of a point. Returns a failure if there is none, or it is damaged or belongs to
 * another point. */
enum simsm_status fragment_read(const char *folder, const char identity[HASH_TEXT],
                                struct fragment *fragment, struct simsm_error *error);

/* Returns whether the point has a fragment, which may be damaged. */
bool fragment_exists(const char *folder, const char identity[HASH_TEXT]);

/* Removes the fragment of a point, if there is one. */
void fragment_remove(const char *folder, const char identity[HASH_TEXT]);

/* Returns whether `name` is the file name of a fragment; then copies the identity of the point. */
bool fragment_name(const char *name, char identity[HASH_TEXT]);

#endif
