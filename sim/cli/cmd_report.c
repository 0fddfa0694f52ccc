/* `simsm report`: a recorded run as a page for a browser. simsm-view writes the page. */

#include "cli/cli.h"
#include "language/language.h"

enum report_key { KEY_HTML = 256 };

struct report_request {
    const char *file, *other, *html;
};

static const struct argp_option options[] = {
    {"html", KEY_HTML, "FILE", 0, "write the page to FILE", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct report_request *request = state->input;
    switch (key) {
    case KEY_HTML:
        request->html = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->other)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        *(request->file ? &request->other : &request->file) = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(state, "name the timeline: a .smtl file that --timeline wrote");
        if (!request->html)
            argp_error(state, "name the page to write: --html FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command_parser report_parser = {
    .takes = OF_LANGUAGE,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "FILE.smtl [OTHER.smtl] --html FILE\nPROGRAM.json --html FILE",
             .doc =
                 "Writes one page for a browser: figures of the run, pictures of all screens of "
                 "simsm-view, and a timeline that can be moved and zoomed. The page needs no other "
                 "file and no network.\vWith a second timeline the page compares both runs. The "
                 "page of a program "
                 "shows its kernels, copies and calls over time; the launches whose timelines "
                 "there are get pages of their own."},
};

int cmd_report(int argc, char **argv)
{
    struct report_request request = {0};
    command_parser_run(&report_parser, argc, argv, 0, &request);
    /* "--" ends the options: a file name may begin with '-' */
    const char *const words[] = {"--lang", language_name(), "--html",      request.html,
                                 "--",     request.file,    request.other, NULL};
    return cli_finish(viewer_run(words));
}
