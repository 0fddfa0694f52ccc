/* Tables of Nsight Compute: what is accepted is compared with itself and written in every form. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compare/ncu.h"
#include "compare/show.h"

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

static void show(struct shown *shown, FILE *file)
{
    struct simsm_error error;
    for (int all = 0; all < 2; all++) {
        shown->all = all;
        check(show_text(file, shown, &error) == SIMSM_OK, "no text");
    }
    for (enum show_table table = SHOW_SUMMARY; table < SHOW_TABLES; table++)
        check(show_markdown(file, shown, table, &error) == SIMSM_OK, "no table");
    show_csv(file, shown);
    check(show_json(file, shown, &error) == SIMSM_OK, "no JSON");
    check(show_svg(file, shown, &error) == SIMSM_OK, "no picture");
}

/* Every launch is its own partner, without an error. */
static void compare_with_itself(const struct launches *launches)
{
    struct match match;
    struct figures figures;
    struct simsm_error error;
    FILE *file = fopen("/dev/null", "w");
    check(file && match_launches(&match, launches, launches, &error) == SIMSM_OK, "no match");
    check(match.pairs == launches->rows && !match.only_measured && !match.only_simulated,
          "a launch is not its own partner");
    check(figures_find(&figures, &match, &error) == SIMSM_OK, "no figures");
    for (size_t i = 0; i < figures.count; i++)
        check(figures.figure[i].worst == 0, "a value differs from itself");
    if (figures.count)
        show(&(struct shown){.match = &match,
                             .figures = &figures,
                             .chosen = figures.figure,
                             .gpu = "",
                             .measured_name = path},
             file);
    figures_free(&figures);
    match_free(&match);
    (void)fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct launches launches = {0};
    struct simsm_error error = {.status = SIMSM_OK};
    write_input(data, size);
    enum simsm_status status = ncu_read(&launches, path, &error);
    if (status == SIMSM_OK)
        compare_with_itself(&launches);
    else
        check(status == SIMSM_BAD_INPUT && error.message[0], "refused without a reason");
    launches_free(&launches);
    return 0;
}
