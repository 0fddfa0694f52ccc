#include "view/states.h"

#include "view/chart.h"

uint32_t states_present(const struct view *view)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t present = 0;
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++) {
        if (info->sm[i] != view->place.sm)
            continue;
        for (uint32_t s = 0; s < info->state_count; s++)
            if (info->totals[i].states[s])
                present |= 1u << run_known_state(view->run, (uint8_t)s);
    }
    return present ? present : (1u << SIMSM_STATE_COUNT) - 1;
}

int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw)
{
    const struct theme *theme = view_theme(view);
    struct legend_entry entries[SIMSM_STATE_COUNT];
    size_t count = 0;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        const struct state_look *look = &theme->states[i];
        if (!(present >> i & 1))
            continue;
        entries[count++] = (struct legend_entry){.colour = look->colour,
                                                 .ink = look->ink,
                                                 .hatch = look->hatch,
                                                 .letter = look->letter,
                                                 .text = simsm_states[i].title};
    }
    return chart_legend(canvas, theme, rect, entries, count, draw);
}
