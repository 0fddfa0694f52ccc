/* Exports of real runs, for decoders that share nothing with the encoders. */
#ifndef TESTS_UNIT_VIZ_EXPORT_FIXTURE_H
#define TESTS_UNIT_VIZ_EXPORT_FIXTURE_H

#include <unistd.h>

#include "export/exporter.h"
#include "viz_fixture.h"

#define EXPORT_ALL UINT64_MAX

/* Runs `trace` on a GPU of one SM. Close with run_close. */
static inline struct run *export_run(const char *trace)
{
    char path[] = "/tmp/simsm-export-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        abort();
    (void)close(file);
    viz_simulate(path, "configs/t4.yaml", trace, "gpu.sms=1");
    struct run *run = viz_open(path);
    (void)unlink(path); /* the reader keeps it open */
    return run;
}

/* The export as text, terminated; free it. NULL, and *error filled, on failure. */
static inline char *export_text(struct run *run, enum export_kind kind,
                                const struct export_request *like, size_t *size,
                                struct simsm_error *error)
{
    struct export_request request = *like;
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file)
        abort();
    request.run = run;
    enum simsm_status status = export_write(kind, &request, file, error);
    if (fclose(file) != 0)
        abort();
    if (status == SIMSM_OK)
        return text;
    free(text);
    return NULL;
}

/* All cycles of all SMs. */
static inline struct export_request export_whole(void)
{
    return (struct export_request){.sm = UINT32_MAX, .to = EXPORT_ALL};
}

static inline uint64_t export_state_total(struct run *run, const char *name)
{
    const struct timeline_info *info = run_info(run);
    for (uint32_t i = 0; i < info->state_count; i++)
        if (strcmp(info->states[i].name, name) == 0)
            return info->totals[0].states[i];
    return UINT64_MAX;
}

static inline uint32_t export_state_of(struct run *run, const char *name)
{
    const struct timeline_info *info = run_info(run);
    uint32_t i = 0;
    while (i < info->state_count && strcmp(info->states[i].name, name) != 0)
        i++;
    return i;
}

#endif
