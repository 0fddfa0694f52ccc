/* The head of a page: title, style, colours of both themes, heading. */
#include "html/html_head.h"

#include "canvas/theme.h"
#include "html/markup.h"
#include "html/resources.h"
#include "language/language.h"

static void write_theme(FILE *file, enum theme_id id, const struct recolour *colours)
{
    const struct theme *theme = theme_of(id);
    fprintf(file, "--ground:#%06x;--panel:#%06x;--line:#%06x;--text:#%06x;--quiet:#%06x;",
            (unsigned)theme->ground, (unsigned)theme->panel, (unsigned)theme->line,
            (unsigned)theme->text, (unsigned)theme->quiet);
    fprintf(file, "--accent:#%06x;--warning:#%06x;--issue:#%06x;", (unsigned)theme->accent,
            (unsigned)theme->warning, (unsigned)theme->issue);
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++) {
        const struct state_look *look = &theme->states[s];
        fprintf(file, "--s%u:#%06x;--i%u:#%06x;--h%u:#%06x;", s, (unsigned)look->colour, s,
                (unsigned)look->ink, s, (unsigned)colour_mix(look->colour, look->ink, 25));
    }
    recolour_variables(colours, id == THEME_DARK, file);
}

static void write_styles(FILE *file, const struct recolour *colours)
{
    fputs("<style>\n:root{color-scheme:light dark;", file);
    write_theme(file, THEME_LIGHT, colours);
    fputs("}\n@media screen and (prefers-color-scheme:dark){:root{", file);
    write_theme(file, THEME_DARK, colours);
    fprintf(file, "}}\n%s</style>\n", resource_style);
}

void head_write(FILE *file, const char *what, const char *gpu, const struct recolour *colours)
{
    fprintf(file, "<!DOCTYPE html>\n<html lang=\"%s\">\n", language_name());
    fputs("<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          file);
    markup_text(file, what);
    fputs(_(" on "), file);
    markup_text(file, gpu);
    fputs(" – simsm</title>\n", file);
    write_styles(file, colours);
    fputs("</head>\n<body>\n<header>\n<h1>", file);
    markup_text(file, what);
    fprintf(file, "</h1>\n<p>%s", _("on "));
    markup_text(file, gpu);
    fprintf(file, "%s</p>\n</header>\n", _(", simulated by simsm"));
}
