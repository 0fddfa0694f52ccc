#include "cuda/toolkit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/program.h"

enum { SAID = 600 };

enum simsm_status toolkit_folder(char folder[TOOLKIT_PATH], struct simsm_error *error)
{
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
        base = "/tmp";
    const int length = snprintf(folder, TOOLKIT_PATH, "%s/simsm-XXXXXX", base);
    if (length < 0 || length >= TOOLKIT_PATH)
        return err_set(error, SIMSM_FAILED, "$TMPDIR has more than %d bytes", TOOLKIT_PATH - 15);
    if (!mkdtemp(folder))
        return err_set(error, SIMSM_FAILED, "no folder can be made in %s: %s", base,
                       strerror(errno));
    return SIMSM_OK;
}

/* Writes path number `index` where the tool may be. Returns false if there are no more paths. */
static bool tool_path(const char *tool, unsigned index, char *path, size_t size)
{
    const char *home = getenv("CUDA_HOME");
    const char *places[] = {"", home ? home : "", "/usr/local/cuda"};
    if (index >= sizeof places / sizeof places[0])
        return false;
    (void)snprintf(path, size, "%s%s%s", places[index], *places[index] ? "/bin/" : "", tool);
    return true;
}

enum simsm_status toolkit_run(const char *tool, const char *const *arguments, char *path,
                              size_t size, struct simsm_error *error)
{
    char said[SAID];
    size_t count = 0;
    while (arguments[count])
        count++;
    const char **words = calloc(count + 2, sizeof *words);
    if (!words)
        return err_no_memory(error);
    words[0] = path;
    memcpy(words + 1, arguments, count * sizeof *words);
    bool good = false;
    enum simsm_status status = SIMSM_FAILED;
    for (unsigned i = 0; status != SIMSM_OK && tool_path(tool, i, path, size); i++)
        status = program_ask(words, said, sizeof said, &good, error);
    free(words);
    if (status == SIMSM_OK && !good)
        status = err_set(error, SIMSM_BAD_INPUT, "%s %s fails: %.*s", path, arguments[0],
                         (int)strcspn(said, "\n"), said);
    return status;
}
