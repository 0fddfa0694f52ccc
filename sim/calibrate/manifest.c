#include "calibrate/manifest.h"

#include <time.h>

#include "base/outfile.h"
#include "simsm/simsm.h"

enum simsm_status manifest_write(const char *path, const struct gpu_about *about,
                                 const char *command, uint32_t repeat, struct simsm_error *error)
{
    struct outfile out;
    struct tm utc;
    char date[40] = "";
    const time_t now = time(NULL);
    if (gmtime_r(&now, &utc))
        (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(out.file, "date: %s\n", date);
    (void)fprintf(out.file, "GPU: %s, compute capability %u.%u, %d SMs, L2 %d bytes\n", about->name,
                  about->compute_capability / 10, about->compute_capability % 10, about->sms,
                  about->l2_bytes);
    (void)fprintf(out.file, "driver: CUDA %d.%d\n", about->driver_version / 1000,
                  about->driver_version % 1000 / 10);
    (void)fprintf(out.file, "clocks: SM %d MHz, memory %d MHz at most\n", about->clock_khz / 1000,
                  about->memory_clock_khz / 1000);
    (void)fprintf(out.file, "command: %s\n", command);
    (void)fprintf(out.file,
                  "runs: %u of each point after one that is not counted; buffers are filled and L2 "
                  "is flushed before each\n",
                  repeat);
    (void)fprintf(out.file, "simsm: %s\n", SIMSM_VERSION);
    return outfile_commit(&out, error);
}
