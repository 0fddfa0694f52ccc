/* Functions that change what is shown and what is selected. Private to this folder. */
#ifndef VIZ_APP_MOVES_H
#define VIZ_APP_MOVES_H

#include "app/app.h"

/* ---- What is shown (app_place.c) ---- */

/* Remembers the place for "back"; the second function only once for a series of zooms and pans. */
void place_remember(struct app *app);
void place_remember_once(struct app *app);

/* Returns the place at which a run is shown first: the first SM that
 * issued an instruction, nothing selected. */
struct view_place place_first(const struct run *run, uint64_t launch);

/* Shows a place. If it is in the timeline of another launch, sets the wish to open that. */
void place_go(struct app *app, const struct view_place *place);

/* Returns to the place remembered last. */
void place_back(struct app *app);

/*
 * Moves the place into the run and limits the zoom: at most the whole run, and at most app->most_px
 * pixels for a cycle.
 */
void place_clamp(struct app *app);

/*
 * Zooms; a factor above 1 shows more cycles. The cycle at device pixel `x`, or in the middle, stays
 * where it is.
 */
void place_zoom_at(struct app *app, double factor, double x);
void place_zoom_middle(struct app *app, double factor);

/* Moves the left edge to cycle `from`, or by a share of the shown cycles, or centres a cycle. */
void place_move_to(struct app *app, double from);
void place_pan(struct app *app, double share);
void place_centre_on(struct app *app, double cycle);

/* Returns the cycles of a device pixel. */
double place_per_px(const struct app *app);

/* Changes the height of rows by one step up or down. */
void place_rows(struct app *app, int by);

/* Aligns the runs of the screen Compare at their first blocks, or at cycle 0. */
void place_align(struct app *app);

/*
 * Changes to a screen, modulo the number of screens. Without a run, only the screen Program can be
 * shown.
 */
void place_screen(struct app *app, uint32_t screen);

/*
 * Scrolls so that the selected row, as last drawn, is visible. Returns true if the picture moved.
 */
bool place_follow(struct app *app);

/* ---- What is selected (select.c) ---- */

/* Selects a cycle, and moves the picture if the cycle is outside. */
void select_cycle(struct app *app, uint64_t cycle);

/* Moves the selected cycle by `cycles`, or the input of Occupancy by as many values. */
void select_step(struct app *app, int cycles);

/* Moves the selection by `rows`. A row is a slot, instruction, SM or input, by screen. */
void select_row(struct app *app, int rows);
void select_slot(struct app *app, int rows);

/* Shows the next or previous recorded SM. */
void select_sm(struct app *app, int by);

/* Selects the next change of state, or the next issue, of the selected slot in one direction. */
void select_event(struct app *app, bool issues, bool backward);

/* Centres the selected cycle. If it is centred already, its state fills the picture. */
void select_centre(struct app *app);

/* Zooms so that the state of the selected cell fills the picture. */
void select_fit(struct app *app);

/*
 * Selects the next match of the search. Without a search, selects the next hottest instruction on
 * the screen Source, and asks for words on other screens.
 */
void select_find(struct app *app, bool backward);

/* Clears the selection; on Occupancy, the inputs return to the values of the launch. */
void select_nothing(struct app *app);

/* Follows the selected row of Overview, or opens the selected launch of Program. */
void select_enter(struct app *app, int unused);

/* Lists the screen Source in another order; the same order again: the other way round. */
void select_order(struct app *app, enum source_order order);

/* Selects what is under the pointer. */
void select_target(struct app *app);

/* ---- What is selected on the screen Program (select_activity.c) ---- */

/* Select the activity `by` places on in its row; the activity near to it in another row. */
void activity_step(struct app *app, int by);
void activity_row(struct app *app, int by);

/* Zooms so that the selected activity fills the picture. */
void activity_fit(struct app *app);

/* Selects the next activity whose name contains the words of the search. */
void activity_find(struct app *app, bool backward);

/* Selects the launch with this number. */
void select_launch(struct app *app, const char *number);

/* Opens the timeline of the selected launch. */
void activity_enter(struct app *app);

/* ---- The strip of the whole run (minimap.c) ---- */

/* Returns the height of the strip above the screen; 0: the screen or the window has none. */
int minimap_height(const struct app *app);

/* Draws the strip, after the screen. Sets app->map. */
void minimap_draw(struct app *app, struct canvas *canvas, struct rect strip);

/* Takes hold of the strip. Returns false if (x, y) is not in it. */
bool minimap_press(struct app *app, int x, int y);

/* Drags what minimap_press() has taken hold of. */
void minimap_move(struct app *app, int x);

/* ---- The tour (tour.c) ---- */

/* Parts of the window that steps of the tour point at. */
struct tour_places {
    struct rect tabs, screen, buttons;
};

/* Ends the tour, if it is shown, and returns to the place where it began. */
void tour_leave(struct app *app);

/* Handle a key and a press during the tour. Return false if others should handle it. */
bool tour_key(struct app *app, const char *key);
bool tour_press(struct app *app, int x, int y);

/* Draws the step of the tour over the frame. */
void tour_draw(struct app *app, struct canvas *canvas, const struct tour_places *places);

/* Draws the help page over `area` (help.c). */
void frame_help(struct app *app, struct canvas *canvas, struct rect area);

/* Returns the cycles a second of playing: a share of the shown cycles, at least 1. */
double app_play_rate(const struct app *app);

#endif
