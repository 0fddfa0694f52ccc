#include "report/recorded.h"

#include <sys/stat.h>

#include "report/quantity.h"

void recorded_print(FILE *file, const char *path, uint64_t launches, uint64_t instructions)
{
    struct stat info;
    const double bytes = stat(path, &info) == 0 ? (double)info.st_size : 0;
    (void)fprintf(file,
                  "%s: %llu kernel launch%s, %s warp instructions in %s, %.2g bytes for each\n",
                  path, (unsigned long long)launches, launches == 1 ? "" : "es",
                  quantity_count((double)instructions).text, quantity_bytes(bytes).text,
                  instructions ? bytes / (double)instructions : 0);
}
