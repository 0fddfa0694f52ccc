/*
 * The viewer without its window: what is shown, and what input does to it. Windows, terminals and
 * scripts hand in the same events and take the same frames.
 */
#ifndef VIZ_APP_APP_H
#define VIZ_APP_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "view/view.h"

enum app_action {
#define ACTION(id, section, keys, meaning) ACTION_##id,
#include "app/actions.def"
#undef ACTION
    ACTION_COUNT
};

struct action_info {
    const char *section, *keys, *meaning;
};
extern const struct action_info actions[ACTION_COUNT];

/* The action of a key as "ctrl+shift+left"; ACTION_COUNT if there is none. */
enum app_action action_of(const char *key);

enum app_ask { ASK_NOTHING, ASK_CYCLE, ASK_SEARCH, ASK_BOOKMARK_SET, ASK_BOOKMARK_GO };

enum { APP_BACK = 64, APP_BOOKMARKS = 10, APP_TEXT = 128 };

/* What only the program around can do; taken and set to nothing by it. */
enum app_wish { WISH_NOTHING, WISH_QUIT, WISH_PNG, WISH_SVG, WISH_CSV, WISH_ONE_WARP };

struct app {
    struct view view;
    int width, height, scale; /* of the canvas, device pixels; percent */
    bool help;                /* the page of all keys is open */
    int help_page;            /* from 0, of */
    int help_pages;           /* as the last frame found out */
    bool tips;                /* first start: a few hints over the picture */
    enum app_ask ask;         /* what the line at the bottom asks for */
    char text[APP_TEXT];      /* what has been typed there */
    char message[256];        /* answer to the last action */
    struct view_place back[APP_BACK];
    uint32_t back_count;
    bool remembered; /* zooms and pans in a row: one way back for all of them */
    struct view_place bookmark[APP_BOOKMARKS];
    bool bookmarked[APP_BOOKMARKS];
    char search[APP_TEXT];
    bool playing;
    double play_speed; /* of what is shown, a second */
    double play_at;    /* the cycle that is played now */
    bool follow;       /* the selected row comes into the picture with the next frame */
    bool dragging;
    bool stretching; /* a drag with Shift: cycles to tell about */
    int drag_x, drag_y;
    uint32_t drag_sub; /* sub-partition in which a stretch began */
    enum app_wish wish;
    double most_px; /* of a cycle: how far one can zoom in */
};

/* Takes the open runs, which stay the caller's; `other` may be NULL. */
void app_init(struct app *app, struct run *run, struct run *other, int width, int height,
              int scale);

/* Draws everything: tabs, question, the screen, status. */
void app_draw(struct app *app, struct canvas *canvas);

/* ---- For those who draw it in another way ---- */

/* Once the screen has been drawn: scrolls to what was selected meanwhile. True: draw it again. */
bool app_follow(struct app *app);

/* What the line at the bottom says: a question, a problem, or what is under the pointer. */
const char *app_words(const struct app *app, char *text, size_t size);

/* What the mouse does, as the page of all keys says it. */
extern const char app_mouse_help[];

/* ---- Input; coordinates in device pixels ---- */

bool app_key(struct app *app, const char *key);    /* "a", "ctrl+left"; false: of no action */
void app_typed(struct app *app, const char *text); /* characters, where something is asked for */
bool app_asks(const struct app *app);              /* keys are text now */
void app_wheel(struct app *app, int x, int y, double clicks, bool shift, bool ctrl);
void app_press(struct app *app, int x, int y, bool twice);
/* The same with Shift: from here on to where it is released the timeline tells what warps did. */
void app_press_stretch(struct app *app, int x, int y);
void app_move(struct app *app, int x, int y);
void app_release(struct app *app, int x, int y);
void app_resize(struct app *app, int width, int height, int scale);
void app_tick(struct app *app, double seconds); /* time has passed: playing */

/* Do one action, as its key does. */
void app_do(struct app *app, enum app_action action);

/* Looks at [from, to) cycles. */
void app_show_cycles(struct app *app, double from, double to);

#endif
