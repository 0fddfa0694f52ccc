/*
 * Files of --program: what is read comes back when it is written and read again; sums and a text
 * picture can be made of it.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "timeline/activity.h"

static char path[] = "/tmp/simsm-fuzz-XXXXXX";

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static void remove_file(void)
{
    (void)unlink(path);
}

/* The reader reads files: the input goes to one. */
static void write_input(const uint8_t *data, size_t size)
{
    static FILE *file;
    if (!file) {
        int descriptor = mkstemp(path);
        file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
        (void)atexit(remove_file);
    }
    check(file != NULL, "no temporary file");
    rewind(file);
    check(fwrite(data, 1, size, file) == size && fflush(file) == 0 &&
              ftruncate(fileno(file), (off_t)size) == 0,
          "the temporary file cannot be written");
}

static void use(const struct activity_log *log)
{
    struct activity_sum *sums;
    const double all = log->end - log->begin;
    const struct activity_shares shares = activity_shares(log, log->begin, log->end);
    check(shares.any <= all * 1.000001 + 1 && shares.several <= shares.kernel + 1,
          "more time than there is");
    for (size_t i = 0; i < log->entries.count; i++)
        check(log->lane[i] < log->lane_count && log->name[i] < log->name_count, "no such row");
    (void)activity_sums(log, log->begin, log->begin + all / 2, &sums);
    free(sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct activity_log log, again;
    struct simsm_error error = {.status = SIMSM_OK};
    write_input(data, size);
    if (activity_read(&log, path, &error) != SIMSM_OK) {
        check(error.message[0], "refused without a reason");
        return 0;
    }
    use(&log);
    char other[sizeof path + 8];
    (void)snprintf(other, sizeof other, "%s.json", path);
    check(activity_write(&log, other, &error) == SIMSM_OK, "it cannot be written");
    check(activity_read(&again, other, &error) == SIMSM_OK, "it cannot be read again");
    check(again.entries.count == log.entries.count && again.name_count == log.name_count,
          "another program is read again");
    activity_free(&again);
    activity_free(&log);
    (void)unlink(other);
    return 0;
}
