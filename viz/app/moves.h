/* How actions change what is looked at and what is selected. Private to this folder. */
#ifndef VIZ_APP_MOVES_H
#define VIZ_APP_MOVES_H

#include "app/app.h"

/* ---- Where one looks (place.c) ---- */

void place_remember(struct app *app);      /* for "back" */
void place_remember_once(struct app *app); /* the same, before a zoom or a pan: once for a burst */
void place_back(struct app *app);
/* Puts the place back inside the run: not further out, not further in than 64 pixels a cycle. */
void place_clamp(struct app *app);
/* Zooms so that the cycle at device pixel `x` stays where it is; factor > 1 shows more. */
void place_zoom_at(struct app *app, double factor, double x);
void place_zoom_middle(struct app *app, double factor);
void place_move_to(struct app *app, double from);
void place_pan(struct app *app, double share); /* of what is shown */
void place_centre_on(struct app *app, double cycle);
double place_per_px(const struct app *app); /* cycles of a device pixel */
void place_rows(struct app *app, int by);   /* height of rows */
void place_screen(struct app *app, uint32_t screen);
/* Scrolls so that the selected row, as last drawn, is inside. True if that changed anything. */
bool place_follow(struct app *app);

/* ---- What is selected (select.c) ---- */

void select_cycle(struct app *app, uint64_t cycle);
void select_step(struct app *app, int cycles); /* left and right */
void select_row(struct app *app, int rows);    /* up and down: what a row is differs by screen */
void select_slot(struct app *app, int rows);
void select_sm(struct app *app, int by);
/* The next change (or issue) of the selected slot in one direction. */
void select_event(struct app *app, bool issues, bool backward);
/* The selected cycle into the middle; if it is there, its state fills the picture. */
void select_centre(struct app *app);
void select_fit(struct app *app); /* the selected cell's state fills the picture */
void select_find(struct app *app, bool backward);
void select_nothing(struct app *app);
void select_target(struct app *app); /* what is under the pointer */

/* The page of all keys over `area` (help.c). */
void frame_help(struct app *app, struct canvas *canvas, struct rect area);

/* Cycles a second when playing: a share of what is shown, at least one. */
double app_play_rate(const struct app *app);

#endif
