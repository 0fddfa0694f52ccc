/*
 * What came of a point as a file of its own, in a folder that several machines share: each writes
 * files of its own points, one machine brings them into the results. A file is whole or absent.
 */
#ifndef SIM_SWEEP_FRAGMENT_H
#define SIM_SWEEP_FRAGMENT_H

#include <stdbool.h>

#include "simsm/error.h"
#include "sweep/hash.h"
#include "sweep/sweep_outcome.h"

enum { FRAGMENT_REASON = 1400 };

struct fragment {
    struct sweep_outcome outcome;
    char reason[FRAGMENT_REASON]; /* why the point has failed; "": it is done */
    double seconds;               /* from its start to its end */
};

enum simsm_status fragment_write(const char *folder, const char identity[HASH_TEXT],
                                 const struct fragment *fragment, struct simsm_error *error);

/* Fails if there is none, or one that is damaged or of another point. */
enum simsm_status fragment_read(const char *folder, const char identity[HASH_TEXT],
                                struct fragment *fragment, struct simsm_error *error);

bool fragment_exists(const char *folder, const char identity[HASH_TEXT]);
void fragment_remove(const char *folder, const char identity[HASH_TEXT]);

/* Whether `name` is that of such a file; then `identity` is the point's. */
bool fragment_name(const char *name, char identity[HASH_TEXT]);

#endif
