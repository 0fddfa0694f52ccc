/* `simsm tui`: a timeline in this terminal, shown by simsm-view. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"

static const char usage[] =
    "Usage: simsm tui FILE.smtl [OTHER.smtl] [options of simsm-view]\n"
    "   or: simsm tui PROGRAM.json [options of simsm-view]\n"
    "\n"
    "Shows a recorded run in this terminal, over SSH too: the screens of simsm-view with the same\n"
    "keys. With a second timeline both are compared. A program shows its streams over time.\n"
    "`?` shows all keys, `q` quits.\n"
    "\n"
    "  --ascii          ASCII characters only\n"
    "  --screen NAME    begin with this screen: `simsm-view --help` has the names\n"
    "  --cycles A:B     cycles from A to before B\n"
    "  --theme NAME     dark, light, contrast or mono\n"
    "\n"
    "TERM and COLORTERM decide the colours; NO_COLOR turns them off.\n";

int cmd_tui(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        (void)fputs(usage, argc < 2 ? stderr : stdout);
        return cli_finish(argc < 2 ? SIMSM_BAD_INPUT : SIMSM_OK);
    }
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    struct simsm_error error;
    if (!words) {
        (void)err_no_memory(&error);
        return cli_fail(&error);
    }
    words[0] = "--tui";
    for (int i = 1; i < argc; i++)
        words[i] = argv[i];
    int status = viewer_run(words);
    free(words);
    return cli_finish(status);
}
