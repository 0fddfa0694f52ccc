/* Exports of the timeline for other tools. */
#ifndef VIZ_MAIN_VIZ_EXPORTS_H
#define VIZ_MAIN_VIZ_EXPORTS_H

#include "export/exporter.h"

/* The options of the command line; NULL: not given. */
struct exports {
    const char *path[EXPORT_COUNT];
    const char *sm, *cycles, *most_events;
    bool begin_end;
};

/* Returns whether an export was asked for. */
bool exports_any(const struct exports *exports);

/* Writes all exports that were asked for. Each file is written whole or not at all. */
enum simsm_status exports_write(const struct exports *exports, struct run *run,
                                struct simsm_error *error);

#endif
