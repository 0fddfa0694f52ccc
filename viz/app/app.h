/*
 * The viewer without a window: its state, and what input does to it. A window, a terminal and a
 * script send the same events and draw the same frames.
 */
#ifndef VIZ_APP_APP_H
#define VIZ_APP_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "view/view.h"

enum app_action {
#define ACTION(id, ...) ACTION_##id,
#include "app/actions.def"
#undef ACTION
    ACTION_COUNT
};

/* A row of actions.def, which describes the texts. */
struct app;

struct action_info {
    const char *section, *keys, *meaning;
    void (*run)(struct app *app, int with);
    int with;
};
extern const struct action_info actions[ACTION_COUNT];

/* Returns the action of a key such as "ctrl+shift+left"; ACTION_COUNT if the key has none. */
enum app_action action_of(const char *key);

/* What the user is asked to type in the line at the bottom. */
enum app_ask {
    ASK_NOTHING,
    ASK_CYCLE,
    ASK_LAUNCH,
    ASK_SEARCH,
    ASK_BOOKMARK_SET,
    ASK_BOOKMARK_GO,
    ASK_VALUE
};

enum { APP_BACK = 64, APP_BOOKMARKS = 10, APP_TEXT = 128 };

/* What a drag in the strip of the whole run moves: the marked part, or one of its edges. */
enum app_grip { GRIP_NONE, GRIP_RANGE, GRIP_FROM, GRIP_TO };

/* What only the program around the application can do. The program reads the wish and resets it. */
enum app_wish { WISH_NOTHING, WISH_QUIT, WISH_PNG, WISH_SVG, WISH_CSV, WISH_ONE_WARP, WISH_LAUNCH };

struct app {
    struct view view;
    int width, height, scale;    /* of the canvas in device pixels; of texts in percent */
    bool help;                   /* the help page is open */
    int help_page;               /* page of the help text, from 0 */
    int help_pages;              /* number of its pages, from the last frame */
    uint32_t tour;               /* step of the tour, from 1; 0: the tour is not shown */
    struct view_place tour_from; /* where the tour began, and where it ends */
    struct rect tour_box;        /* the words of the step, as last drawn */
    enum app_ask ask;            /* what the line at the bottom asks for */
    char text[APP_TEXT];         /* text typed so far */
    char message[256];           /* the result of the last action, for the line at the bottom */
    struct view_place back[APP_BACK]; /* places for "back"; the last one is the newest */
    uint32_t back_count;
    bool remembered; /* the place before a series of zooms and pans is in `back` already */
    struct view_place bookmark[APP_BOOKMARKS];
    bool bookmarked[APP_BOOKMARKS];
    char search[APP_TEXT]; /* words of the last search */
    bool playing;
    double play_speed; /* share of the shown cycles that is played in a second */
    double play_at;    /* the cycle that is played */
    bool follow;       /* the next frame scrolls to the selected row */
    bool dragging;
    bool stretching; /* a drag with Shift selects cycles for a table */
    int drag_x, drag_y;
    uint32_t drag_sub; /* sub-partition in which the drag with Shift began */
    struct rect map;   /* the strip of the whole run, as last drawn; w = 0: none */
    enum app_grip grip;
    double grip_at; /* GRIP_RANGE: cycles from the left edge of the marked part to the pointer */
    enum app_wish wish;
    /* WISH_LAUNCH: the place to show in the timeline of wanted.launch; to = 0: the whole run */
    struct view_place wanted;
    double most_px; /* most device pixels of a cycle: the limit of zooming in */
};

/*
 * Initialises *app for the open runs. The runs stay the caller's. `other` may be NULL; `run` may be
 * NULL if app_show_program follows. Width and height are in device pixels, scale in percent.
 */
void app_init(struct app *app, struct run *run, struct run *other, int width, int height,
              int scale);

/*
 * Returns the scale at which a picture of this size is used well, in percent: 100 for 1280 x 720,
 * 125 for 1920 x 1080, 200 for 3840 x 2160.
 */
int app_fit_scale(int width, int height);

/* Shows a program on its screen. It stays the caller's. */
void app_show_program(struct app *app, const struct program_file *program);

/*
 * Carries out WISH_LAUNCH: shows `run`, the timeline of launch app->wanted.launch, instead of the
 * run that was shown. The run stays the caller's.
 */
void app_show_launch(struct app *app, struct run *run);

/* Shows the first step of the tour. */
void tour_start(struct app *app);

/* Draws a frame: tabs, question, screen, status line. */
void app_draw(struct app *app, struct canvas *canvas);

/* ---- For drawing in another way ---- */

/*
 * Called after the screen has been drawn: scrolls to the selected row. Returns true if the screen
 * must be drawn again.
 */
bool app_follow(struct app *app);

/*
 * Returns the text of the line at the bottom: a question with the typed text, a problem, a message,
 * or what is under the pointer. Uses `text` if the line must be composed.
 */
const char *app_words(const struct app *app, char *text, size_t size);

/* Length of the titles of tabs: whole, the first word, or only the title of the shown screen. */
enum tab_words { TABS_WHOLE, TABS_WORD, TABS_HERE, TABS_KINDS };

/* Writes the text of a tab; `here`: its screen is shown. */
void app_tab_text(uint32_t screen, enum tab_words words, bool here, char *text, size_t size);

/* The paragraph of the help page about the mouse. */
extern const char app_mouse_help[];

/* ---- Input; coordinates in device pixels ---- */

/* Presses a key such as "a" or "ctrl+left". Returns false if the key has no action. */
bool app_key(struct app *app, const char *key);

/* Returns whether the user is asked to type text; app_typed() appends UTF-8 text to it. */
bool app_asks(const struct app *app);
void app_typed(struct app *app, const char *text);

/* Turns the wheel: zooms, or with Shift moves through time, or with Ctrl changes the rows. */
void app_wheel(struct app *app, int x, int y, double clicks, bool shift, bool ctrl);

/* Press, move and release the left button. `twice`: the second press of a double click. */
void app_press(struct app *app, int x, int y, bool twice);
void app_move(struct app *app, int x, int y);
void app_release(struct app *app, int x, int y);

/* A press with Shift: until the release, the timeline selects cycles for a table. */
void app_press_stretch(struct app *app, int x, int y);

/* Sets size and scale of the canvas, as in app_init(). */
void app_resize(struct app *app, int width, int height, int scale);

/* Moves the played cycle on by `seconds`. */
void app_tick(struct app *app, double seconds);

/* Does an action, as if its key were pressed. */
void app_do(struct app *app, enum app_action action);

/* Shows cycles [from, to), limited to the cycles of the run. */
void app_show_cycles(struct app *app, double from, double to);

#endif
