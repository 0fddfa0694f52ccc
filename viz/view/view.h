/*
 * The input and output of every screen. A screen draws one answer to one question on a canvas. What
 * it shows depends on `struct view` alone. Nothing is kept between frames, so a frame can be
 * compared, undone and bookmarked.
 */
#ifndef VIZ_VIEW_VIEW_H
#define VIZ_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"
#include "canvas/theme.h"
#include "track/program_file.h"
#include "track/track.h"

enum screen_id {
#define SCREEN(id, ...) SCREEN_##id,
#include "view/screens.def"
#undef SCREEN
    SCREEN_COUNT
};

#define VIEW_NONE UINT32_MAX

/*
 * The SM, cycles and selection that a frame shows. A bookmark and an entry of the list for "back"
 * are copies of it.
 */
struct view_place {
    enum screen_id screen;
    uint32_t sm;
    uint64_t launch;   /* whose timeline the other screens show; 0: it was opened alone */
    uint32_t activity; /* selected on the screen Program; VIEW_NONE: none */
    double from, to;   /* left and right edge of the time area: cycles; ns on the screen Program */
    double away_from, away_to; /* the same of the other screens, or of the screen Program */
    int row_height;            /* of a slot, in pixels at 100 % scale; 0: chosen to fit */
    double scroll;             /* rows hidden above the top of the time area */
    uint32_t slot;             /* selected warp slot of the SM; VIEW_NONE: none */
    bool cursor;               /* whether a cycle is selected; a selected slot implies it */
    uint64_t cycle;            /* the selected cycle */
    uint32_t line;             /* selected static instruction; VIEW_NONE: none */
};

/*
 * What the screen Source lists: instructions in the order of the code, below their source lines;
 * instructions by warp cycles; source lines by warp cycles; instructions by one of the other
 * columns.
 */
enum source_order {
    SOURCE_CODE,
    SOURCE_INSTRUCTIONS,
    SOURCE_LINES,
    SOURCE_NAMES,
    SOURCE_ISSUES,
    SOURCE_LANES,
    SOURCE_SECTORS,
    SOURCE_HITS,
    SOURCE_ORDER_COUNT
};

/* What the screen Waves shows: single blocks, or all SMs over time as a map of colours. */
enum waves_mode { WAVES_BLOCKS, WAVES_WARPS, WAVES_ISSUES, WAVES_MODE_COUNT };

struct view_options {
    enum theme_id theme;
    bool inspector, legend;
    bool by_instruction; /* screen Lanes: a list of instructions instead of a time axis */
    enum waves_mode waves;
    enum source_order source;
    bool source_backward;   /* the listing has the last row of the order first */
    bool from_launch;       /* screen Compare: runs aligned at cycle 0, not at their first blocks */
    bool memory_sums;       /* screen Memory: sums of the run instead of rates over time */
    uint32_t hidden_states; /* a bit for each enum simsm_warp_state: drawn as if empty */
    /*
     * Screen Occupancy: values that replace those of the launch; VIEW_NONE: the value of the
     * launch.
     */
    uint32_t threads, registers, shared;
    uint32_t field; /* input of screen Occupancy that has the keyboard; VIEW_NONE: none */
    uint32_t way;   /* row of screen Overview that return follows; VIEW_NONE: none */
};

enum view_target_kind {
    TARGET_NONE,
    TARGET_CELL,     /* sm, slot, cycle */
    TARGET_LINE,     /* line */
    TARGET_BLOCK,    /* sm, block, cycle */
    TARGET_CYCLE,    /* cycle */
    TARGET_FIELD,    /* field, value (VIEW_NONE: unchanged) */
    TARGET_ACTIVITY, /* activity */
    TARGET_WAY,      /* screen, line (VIEW_NONE: unchanged), field: a row of screen Overview */
    TARGET_ORDER,    /* value: an enum source_order */
    TARGET_ACTION,   /* value: an enum app_action (viz/app), of a button */
    TARGET_TAB       /* screen */
};

/* What a click selects. The comments of enum view_target_kind name the fields that are set. */
struct view_target {
    enum view_target_kind kind;
    uint32_t sm, slot, line, block, activity, field, value, screen;
    uint64_t cycle;
};

/* A cell that the last search found. */
struct view_mark {
    uint64_t cycle;
    uint32_t slot;
};
enum { VIEW_MARKS = 512 };

/*
 * Cycles [from, to) of a range of sub-partitions. The screen Timeline shows a table of what the
 * warps did in them.
 */
struct view_stretch {
    bool on;
    double from, to;
    uint32_t first, last; /* first and last sub-partition, inclusive */
};

/* All state that a frame depends on, and what drawing it found out. */
struct view {
    /* What a program did; its launches have timelines of their own. NULL: a timeline was opened. */
    const struct program_file *program;
    struct run *run;   /* the shown timeline; NULL: no launch of the program is open */
    struct run *other; /* second run, for the screen Compare; NULL: only one run is open */
    struct view_place place;
    struct view_options options;
    struct rect area;         /* of the screen, without tabs, question and status line */
    int pointer_x, pointer_y; /* -1: outside the window */
    struct view_mark marks[VIEW_MARKS];
    uint32_t mark_count, marks_sm; /* number of marks; SM of the marked cells */
    struct view_stretch stretch;
    bool patient; /* wait until all chunks are loaded: for pictures and tests */
    bool still;   /* a picture in a page: texts do not mention keys and clicks */
    /* Set by drawing: */
    struct rect time_area; /* where x is time, for zoom and drag; w = 0: the screen has none */
    /* Cycle at the left edge of time_area; cycles of a device pixel. */
    double shown_from, shown_cycles_per_px;
    double content_rows, shown_rows; /* rows of the screen; rows that fit: for scrolling */
    uint32_t shown_slots;            /* slots of a sub-partition that have rows; 0: all */
    double selected_row;             /* row of the selection, counted from 0; < 0: none */
    struct view_target target;       /* what is under the pointer */
    char status[256];                /* text for the status line: what is under the pointer */
    char problem[256];               /* why a part could not be drawn; "" if nothing failed */
    bool loading;                    /* a part is not loaded: the frame must be drawn again soon */
};

/* A row of screens.def. That file describes the texts. */
struct screen {
    const char *name, *key, *title, *question, *help;
    void (*draw)(struct view *view, struct canvas *canvas);
    /*
     * Writes the numbers of the screen as CSV to `file`. Returns an error status and sets *error if
     * a chunk cannot be read.
     */
    enum simsm_status (*csv)(struct view *view, FILE *file, struct simsm_error *error);
};

/* All screens, in the order of the tabs. */
extern const struct screen screens[SCREEN_COUNT];

/* Returns the screen with this name, SCREEN_COUNT if no screen has it. */
enum screen_id screen_find(const char *name);

/*
 * Clears everything in *view that drawing sets, and sets the area of the screen to `area`. Called
 * before each frame.
 */
void view_start(struct view *view, struct rect area);

/*
 * Called before and after drawing a frame that must not wait for the file. A chunk that is not
 * decoded within the time of a frame is left out or drawn more coarsely; view_end_frame() sets
 * view->loading then.
 */
void view_begin_frame(struct view *view);
void view_end_frame(struct view *view);

/*
 * Returns the track of the shown SM. The run owns it. Returns NULL and sets view->problem if the
 * track cannot be read. Sets view->loading while the track is being built.
 */
struct track *view_track(struct view *view);

/*
 * Returns the chunk of the track that holds `cycle`, or the first chunk if `cycle` is before it.
 * The next chunk begins at history->end. The track owns the result. Returns NULL behind the last
 * chunk, if the chunk is not decoded in time, or if it is damaged; only damage sets view->problem.
 */
const struct history *view_piece(struct view *view, struct track *track, uint64_t cycle);

/*
 * Returns the part of an instruction's text that begins with the operation: "BRA 0x120" of "@!P1
 * BRA 0x120". The result points into `text`.
 */
const char *view_operation(const char *text);

/* Returns whether the screen shows the time of a program in ns, not of a run in cycles. */
static inline bool view_is_program(const struct view *view)
{
    return view->place.screen == SCREEN_PROGRAM && view->program;
}

/*
 * Return the first cycle and the end (exclusive) of the cycles that can be shown: of both runs on
 * the screen Compare (without those that would be before cycle 0), else of the first run. On the
 * screen Program they are ns.
 */
uint64_t view_begin(const struct view *view);
uint64_t view_end(const struct view *view);

/*
 * Returns what is added to a cycle of the first run to get the cycle of the second run that stands
 * at the same place of the screen Compare. The axis shows cycles of the first run.
 */
int64_t view_shift(const struct view *view);

/*
 * Returns how many slots of a sub-partition get a row. Slots that never hold a warp get none,
 * except up to the selected slot. Also sets view->shown_slots.
 */
uint32_t view_slots(struct view *view, const struct track *track);

/*
 * Returns what sums over the recording cover, as a few words: "whole run", or which part of the
 * run. The result is static.
 */
const char *view_part(const struct view *view);

/*
 * Writes the number of cycles as "23,122 cycles", or which cycles are recorded if some are not.
 * Writes at most `size` bytes and returns `text`.
 */
const char *view_cycles_text(const struct run *run, char *text, size_t size);

/* Writes the name of the kernel, of a program's launch with its number. Returns `text`. */
const char *view_kernel_text(const struct view *view, char *text, size_t size);

/* Returns the number of blocks of the launch's grid, including blocks that did not run. */
uint64_t view_grid_blocks(const struct view *view);

/* Returns whether a cycle is selected, alone or with a slot. */
static inline bool view_has_cycle(const struct view_place *place)
{
    return place->cursor || place->slot != VIEW_NONE;
}

static inline const struct theme *view_theme(const struct view *view)
{
    return theme_of(view->options.theme);
}

#endif
