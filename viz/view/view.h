/*
 * What every screen gets and gives. A screen draws one answer to one question; what it shows
 * depends on `struct view` alone, nothing is kept between frames: so frames can be compared, taken
 * back and bookmarked.
 */
#ifndef VIZ_VIEW_VIEW_H
#define VIZ_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"
#include "canvas/theme.h"
#include "track/track.h"

enum screen_id {
#define SCREEN(id, ...) SCREEN_##id,
#include "view/screens.def"
#undef SCREEN
    SCREEN_COUNT
};

#define VIEW_NONE UINT32_MAX

/* Where one looks. Bookmarks and "back" are copies of it. */
struct view_place {
    enum screen_id screen;
    uint32_t sm;
    double from, to; /* cycles at the left and the right edge of the time area */
    int row_height;  /* of a slot in pixels at 100 %; 0: as fits */
    double scroll;   /* rows above the top */
    uint32_t slot;   /* selected cell; VIEW_NONE: none */
    bool cursor;     /* a cycle is selected, with or without a slot */
    uint64_t cycle;  /* it */
    uint32_t line;   /* selected static instruction; VIEW_NONE: none */
};

/* Waves: blocks, or all SMs by time as a map of colours. */
enum waves_mode { WAVES_BLOCKS, WAVES_WARPS, WAVES_ISSUES, WAVES_MODE_COUNT };

struct view_options {
    enum theme_id theme;
    bool inspector, legend;
    bool by_instruction; /* lanes: one column for each instruction instead of each cycle */
    enum waves_mode waves;
    uint32_t hidden_states; /* bit per state: drawn as if empty */
    /* Occupancy: what is tried out in place of the run's values; VIEW_NONE: the run's. */
    uint32_t threads, registers, shared;
    uint32_t field; /* input that has the keyboard; VIEW_NONE: none */
};

enum view_target_kind {
    TARGET_NONE,
    TARGET_CELL,  /* sm, slot, cycle */
    TARGET_LINE,  /* line */
    TARGET_BLOCK, /* sm, block, cycle */
    TARGET_CYCLE, /* cycle */
    TARGET_FIELD, /* field, value (VIEW_NONE: as it is) */
    TARGET_TAB    /* screen */
};

/* What a click would choose. */
struct view_target {
    enum view_target_kind kind;
    uint32_t sm, slot, line, block, field, value, screen;
    uint64_t cycle;
};

/* A cell that the last search has found. */
struct view_mark {
    uint64_t cycle;
    uint32_t slot;
};
enum { VIEW_MARKS = 512 };

/* Cycles of some sub-partitions, of which the timeline tells what the warps did. */
struct view_stretch {
    bool on;
    double from, to;
    uint32_t first, last; /* sub-partitions */
};

/* Everything that a frame is made of. */
struct view {
    struct run *run;
    struct run *other; /* second run of Compare, or with one resident warp; NULL */
    struct view_place place;
    struct view_options options;
    struct rect area;         /* of the screen, without the frame that all share */
    int pointer_x, pointer_y; /* -1: outside */
    struct view_mark marks[VIEW_MARKS];
    uint32_t mark_count, marks_sm; /* marks; the SM that they are of */
    struct view_stretch stretch;
    bool patient; /* wait until everything is loaded: pictures, tests */
    bool still;   /* a picture in a page: no word of keys and clicks */
    /* Out: */
    struct rect time_area;                  /* where x is time, for zoom and drag; w = 0: nowhere */
    double shown_from, shown_cycles_per_px; /* of it, per device pixel, as drawn */
    double content_rows, shown_rows;        /* for scrolling */
    uint32_t shown_slots;                   /* rows of a sub-partition; 0: all of its slots */
    double selected_row;                    /* of these; < 0: none */
    struct view_target target;              /* under the pointer */
    char status[256];                       /* the same in words */
    char problem[256];                      /* why something could not be drawn; "" */
    bool loading;                           /* not all was drawn: draw again soon */
};

/* A row of screens.def, which describes the texts. */
struct screen {
    const char *name, *key, *title, *question, *help;
    void (*draw)(struct view *view, struct canvas *canvas);
    /* Writes the numbers that are shown. */
    enum simsm_status (*csv)(struct view *view, FILE *file, struct simsm_error *error);
};

extern const struct screen screens[SCREEN_COUNT];

/* SCREEN_COUNT if there is none of that name. */
enum screen_id screen_find(const char *name);

/* Forgets what the last frame has found out; the screen is to be drawn into `area`. */
void view_start(struct view *view, struct rect area);

/*
 * Around what is drawn when nobody may wait: what is not decoded in time is left out, drawn more
 * coarsely, and view->loading then says so.
 */
void view_begin_frame(struct view *view);
void view_end_frame(struct view *view);

/* The track of the SM that is looked at; NULL, with view->problem set, if there is none. */
struct track *view_track(struct view *view);

/*
 * The chunk of the track that holds `cycle`, or the first one; the next one begins at its end. NULL
 * behind the last one, if it is not there in time, or if it is damaged: then view->problem is set.
 */
const struct history *view_piece(struct view *view, struct track *track, uint64_t cycle);

/* The operation in an instruction's text: behind the guard, as in "@!P1 BRA 0x120". */
const char *view_operation(const char *text);

/* First and one past the last cycle that can be looked at: of both runs, if two are compared. */
uint64_t view_begin(const struct view *view);
uint64_t view_end(const struct view *view);

/*
 * Slots of a sub-partition that have rows: those that no warp ever takes are left out, but not the
 * selected one. Remembered in view->shown_slots.
 */
uint32_t view_slots(struct view *view, const struct track *track);

/* What sums over the whole recording are of, in a few words: "whole run", or what of it is there.
 */
const char *view_part(const struct view *view);

/* "23,122 cycles", or which of them are recorded; returns `text`. */
const char *view_cycles_text(const struct run *run, char *text, size_t size);

/* Of the launch's grid, whether they ran or not. */
uint64_t view_grid_blocks(const struct view *view);

static inline bool view_has_cycle(const struct view_place *place)
{
    return place->cursor || place->slot != VIEW_NONE;
}

static inline const struct theme *view_theme(const struct view *view)
{
    return theme_of(view->options.theme);
}

#endif
