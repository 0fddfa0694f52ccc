/* Screens that are not written yet: whoever writes one deletes its line here. */
#include "view/screens.h"

static void nothing(struct view *view, struct canvas *canvas)
{
    (void)view;
    (void)canvas;
}

#define TODO(id, title_)                                                                           \
    const struct screen screen_##id = {.name = #id,                                                \
                                       .title = (title_),                                          \
                                       .question = "(not written yet)",                            \
                                       .help = "",                                                 \
                                       .draw = nothing};
TODO(memory, "Memory")
TODO(compare, "Compare")
