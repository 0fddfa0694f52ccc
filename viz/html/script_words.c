/* The words of the scripts, for pages in other languages than English. */
#include "html/script_words.h"

#include <string.h>

#include "html/markup.h"
#include "language/language.h"

/* As inLanguage() of the scripts has them; %1, %2: values. */
static const char *const words[] = {
    N_("cycle"),
    N_("sub %1"),
    N_("slot %1"),
    N_("block %1 warp %2"),
    N_("cycles %1 to %2"),
    N_(", %1 per pixel"),
    N_(", block %1, warp %2"),
    N_("; cycles %1 to %2"),
    N_("; at %1"),
    N_(". Why: %1"),
    N_("of cycles %1 to %2"),
    N_("; issued in %1"),
    N_("cycle %1, SM %2, sub-partition %3, slot %4"),
    N_("it needs %1 from %2, issued at cycle %3"),
    N_("it overwrites %1 behind %2, issued at cycle %3"),
    N_("it waits for a barrier of %1, issued at cycle %2"),
    N_("; %1 answers at cycle %2"),
    N_("the memory"),
    N_("the scheduler chose slot %1, %2"),
    N_("of block %1 it waits for warp %2"),
    N_("Point at a cell to read what the warp does, and why."),
    N_("No warp ran on this SM."),
    N_("This SM is here in steps of %1 cycles, so that the page stays small; simsm-view shows the "
       "file in single cycles."),
    N_("The file holds no cycles of any SM."),
};

void script_words_write(FILE *file)
{
    if (strcmp(language_name(), "en") == 0)
        return;
    fputs(",\"words\":{", file);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        fputs(i ? "," : "", file);
        markup_json(file, words[i]);
        fputs(":", file);
        markup_json(file, translate(words[i]));
    }
    fputs("}", file);
}
