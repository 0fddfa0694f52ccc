/* A program's activities, read from a file, and where the timelines of its launches are. */
#ifndef VIZ_TRACK_PROGRAM_FILE_H
#define VIZ_TRACK_PROGRAM_FILE_H

#include "timeline/activity.h"
#include "track/track.h"

struct program_file {
    struct activity_log log;
    char *name; /* of the file */
};

/* Opens a file of `simsm run --program`. On success the caller ends with program_file_close. */
enum simsm_status program_file_open(struct program_file **program, const char *path,
                                    struct simsm_error *error);
void program_file_close(struct program_file *program); /* NULL is allowed */

/*
 * Writes the name of a launch's timeline: for launch 3 of dir/app.json this is dir/app.3.smtl, as
 * --timeline dir/app.smtl writes it. Launch 0 gives dir/app.smtl. Returns `path`.
 */
const char *program_file_timeline(const struct program_file *program, uint64_t launch, char *path,
                                  size_t size);
/*
 * Returns whether a launch has a timeline that can be read. None has where kernels launch kernels:
 * launches then have other numbers when each is recorded alone.
 */
bool program_file_has_timeline(const struct program_file *program, uint64_t launch);

/*
 * Opens the timeline of a launch. SIMSM_BAD_INPUT if there is none, or if it is of another kernel,
 * or of another grid. The caller ends with run_close.
 */
enum simsm_status program_file_open_launch(const struct program_file *program, uint64_t launch,
                                           struct run **run, struct simsm_error *error);

/* Returns the index of a launch among the activities; UINT32_MAX: there is none. */
uint32_t program_file_activity(const struct program_file *program, uint64_t launch);

#endif
