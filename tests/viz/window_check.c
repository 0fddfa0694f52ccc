/*
 * The window under SDL's dummy driver. Each step of a script is carried out twice: as events that
 * SDL delivers to the window, and as calls on an application of its own. After each step both must
 * be in the same state, and what the window shows must be the frame that the other one draws.
 */
#include <SDL.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "sdl/window.h"
#include "viz_fixture.h"

enum { WIDTH = 800, HEIGHT = 500 };

enum step_kind { STEP_KEY, STEP_TEXT, STEP_WHEEL, STEP_MOVE, STEP_PRESS, STEP_RELEASE, STEP_SIZE };

struct step {
    enum step_kind kind;
    SDL_Keycode code; /* STEP_KEY; STEP_WHEEL: clicks */
    Uint16 mod;
    const char *text; /* the key's name as the application has it; STEP_TEXT: what is typed */
    int x, y;         /* pointer; STEP_SIZE: of the window */
};

#define KEY(code, mod, name)                                                                       \
    {                                                                                              \
        STEP_KEY, code, mod, name, 0, 0                                                            \
    }
#define TEXT(text)                                                                                 \
    {                                                                                              \
        STEP_TEXT, 0, 0, text, 0, 0                                                                \
    }
#define MOUSE(kind, x, y)                                                                          \
    {                                                                                              \
        kind, 0, 0, NULL, x, y                                                                     \
    }
#define WHEEL(clicks, mod)                                                                         \
    {                                                                                              \
        STEP_WHEEL, clicks, mod, NULL, 400, 250                                                    \
    }

static const struct step script[] = {
    MOUSE(STEP_MOVE, 400, 250),
    WHEEL(1, 0),
    WHEEL(4, 0),
    WHEEL(-2, 0),
    WHEEL(2, KMOD_LSHIFT),
    WHEEL(1, KMOD_LCTRL),
    MOUSE(STEP_PRESS, 400, 250),
    MOUSE(STEP_MOVE, 330, 240),
    MOUSE(STEP_MOVE, 250, 260),
    MOUSE(STEP_RELEASE, 250, 260),
    MOUSE(STEP_PRESS, 300, 200), /* a click */
    MOUSE(STEP_RELEASE, 300, 200),
    KEY(SDLK_RIGHT, 0, "right"),
    KEY(SDLK_RIGHT, KMOD_LCTRL, "ctrl+right"),
    KEY(SDLK_RIGHT, KMOD_LCTRL | KMOD_LSHIFT, "ctrl+shift+right"),
    KEY(SDLK_LEFT, KMOD_LALT, "alt+left"),
    KEY(SDLK_DOWN, 0, "down"),
    TEXT("w"),
    TEXT("."),
    TEXT("f"),
    TEXT("/"),
    TEXT("op "),
    TEXT("FFM"),
    KEY(SDLK_BACKSPACE, 0, "backspace"),
    TEXT("M"),
    KEY(SDLK_RETURN, 0, "return"),
    TEXT("N"),
    TEXT("b"),
    TEXT("4"),
    KEY(SDLK_TAB, 0, "tab"),
    KEY(SDLK_TAB, KMOD_LSHIFT, "shift+tab"),
    KEY(SDLK_HOME, 0, "home"),
    MOUSE(STEP_SIZE, 1000, 700),
    TEXT("'"),
    TEXT("4"),
    TEXT("t"),
    TEXT("?"),
    KEY(SDLK_ESCAPE, 0, "escape"),
    TEXT("5"),
    MOUSE(STEP_SIZE, 700, 400),
    TEXT("6"),
    MOUSE(STEP_MOVE, 200, 150),
    MOUSE(STEP_PRESS, 200, 150),
    MOUSE(STEP_RELEASE, 200, 150),
    KEY(SDLK_BACKSPACE, 0, "backspace"),
};
enum { STEPS = sizeof script / sizeof script[0] };

struct check {
    struct app other; /* the one that is called */
    struct canvas *canvas;
    int step;
    bool first; /* nothing has been drawn yet */
    bool sent;  /* the step's events are on their way */
    int failures;
};

/* ---- The step as SDL's events ---- */

static void push(SDL_Event event)
{
    SDL_Window *window = SDL_GetWindowFromID(1);
    event.key.windowID = SDL_GetWindowID(window);
    if (SDL_PushEvent(&event) != 1)
        abort();
}

static void push_button(const struct step *step)
{
    SDL_Event event = {.button = {.button = SDL_BUTTON_LEFT, .clicks = 1, .x = step->x}};
    event.type = step->kind == STEP_PRESS ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    event.button.y = step->y;
    push(event);
}

static void push_step(const struct step *step)
{
    SDL_Event event = {0};
    SDL_SetModState((SDL_Keymod)step->mod);
    switch (step->kind) {
    case STEP_KEY:
        event.type = SDL_KEYDOWN;
        event.key.keysym.sym = step->code;
        event.key.keysym.mod = step->mod;
        push(event);
        break;
    case STEP_TEXT:
        event.type = SDL_TEXTINPUT;
        (void)SDL_strlcpy(event.text.text, step->text, sizeof event.text.text);
        push(event);
        break;
    case STEP_WHEEL:
        event.type = SDL_MOUSEWHEEL;
        event.wheel.y = step->code;
        push(event);
        break;
    case STEP_MOVE:
        SDL_WarpMouseInWindow(SDL_GetWindowFromID(1), step->x, step->y);
        break;
    case STEP_PRESS:
    case STEP_RELEASE:
        push_button(step);
        break;
    case STEP_SIZE:
        SDL_SetWindowSize(SDL_GetWindowFromID(1), step->x, step->y);
        break;
    }
}

/* ---- The step as calls ---- */

static void aim(struct check *check, const struct step *step)
{
    app_move(&check->other, step->x, step->y);
    app_draw(&check->other, check->canvas);
}

static void type(struct app *app, const char *text)
{
    char key[32];
    bool capital = text[0] >= 'A' && text[0] <= 'Z';
    (void)snprintf(key, sizeof key, "%s%c", capital ? "shift+" : "",
                   capital ? text[0] - 'A' + 'a' : text[0]);
    if (app_asks(app))
        app_typed(app, text);
    else
        app_key(app, key);
}

static void call_step(struct check *check, const struct step *step)
{
    struct app *app = &check->other;
    switch (step->kind) {
    case STEP_KEY:
        app_key(app, step->text);
        break;
    case STEP_TEXT:
        type(app, step->text);
        break;
    case STEP_WHEEL:
        aim(check, step);
        app_wheel(app, step->x, step->y, step->code, step->mod & KMOD_SHIFT, step->mod & KMOD_CTRL);
        break;
    case STEP_MOVE:
        app_move(app, step->x, step->y);
        break;
    case STEP_PRESS:
        aim(check, step);
        app_press(app, step->x, step->y, false);
        break;
    case STEP_RELEASE:
        aim(check, step);
        app_release(app, step->x, step->y);
        break;
    case STEP_SIZE:
        if (!canvas_resize(check->canvas, step->x, step->y, 100))
            abort();
        app_resize(app, step->x, step->y, 100);
        break;
    }
}

/* ---- Comparing ---- */

static void expect(struct check *check, bool holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "after step %d: %s\n", check->step, what);
    check->failures++;
}

static void compare_state(struct check *check, const struct app *app)
{
    const struct view_place *a = &app->view.place, *b = &check->other.view.place;
    expect(check, a->screen == b->screen && a->sm == b->sm, "another screen or SM");
    expect(check, a->from == b->from && a->to == b->to, "other cycles are shown");
    expect(check, a->row_height == b->row_height && a->scroll == b->scroll, "other rows are shown");
    expect(check, a->slot == b->slot && a->cycle == b->cycle && a->line == b->line,
           "another cell is selected");
    expect(check, app->ask == check->other.ask && strcmp(app->text, check->other.text) == 0,
           "another text is typed");
    expect(check, strcmp(app->message, check->other.message) == 0, "another message");
}

/* The window's contents against the frame of the other application. */
static void compare_frame(struct check *check)
{
    SDL_Renderer *renderer = SDL_GetRenderer(SDL_GetWindowFromID(1));
    int wide, high, stride;
    const uint32_t *pixels = canvas_pixels(check->canvas, &stride);
    SDL_GetRendererOutputSize(renderer, &wide, &high);
    if (wide != canvas_width(check->canvas) || high != canvas_height(check->canvas)) {
        expect(check, false, "another size");
        return;
    }
    uint32_t *shown = calloc((size_t)wide * (size_t)high, sizeof *shown);
    bool same = shown && SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, shown,
                                              wide * (int)sizeof *shown) == 0;
    for (int i = 0; same && i < wide * high; i++)
        same = ((shown[i] ^ pixels[i]) & 0xffffff) == 0;
    expect(check, same, "the window shows another picture");
    free(shown);
}

/*
 * Called by the window after it has handled its events and before it draws. Every other call has a
 * step's events behind it; the call between sees the frame that was drawn then.
 */
static bool look(void *context, struct app *app)
{
    struct check *check = context;
    if (check->sent) {
        call_step(check, &script[check->step]);
        compare_state(check, app);
        check->sent = false;
        check->step++;
        push((SDL_Event){.type = SDL_USEREVENT}); /* so that the window does not wait */
    } else {
        if (!check->first)
            compare_frame(check);
        check->first = false;
        if (check->step < STEPS)
            push_step(&script[check->step]);
        else
            push((SDL_Event){.type = SDL_QUIT});
        check->sent = check->step < STEPS;
    }
    app_draw(&check->other, check->canvas); /* as the window does now */
    return true;
}

static void wish(void *context, struct app *app)
{
    (void)context;
    if (app->wish != WISH_QUIT)
        app->wish = WISH_NOTHING;
}

static int run_script(struct run *run)
{
    static struct app app;
    static struct check check;
    struct simsm_error error = {.status = SIMSM_OK};
    const struct window_options options = {.width = WIDTH,
                                           .height = HEIGHT,
                                           .scale = 100,
                                           .title = "test",
                                           .wish = wish,
                                           .look = look,
                                           .context = &check};
    check.canvas = canvas_create(WIDTH, HEIGHT, 100);
    app_init(&app, run, NULL, WIDTH, HEIGHT, 100);
    app_init(&check.other, run, NULL, WIDTH, HEIGHT, 100);
    app.view.patient = check.other.view.patient = true;
    app_draw(&check.other, check.canvas);
    check.first = true;
    viz_need(window_run(&app, &options, &error) == SIMSM_OK, &error);
    expect(&check, check.step == STEPS, "the script has not come to its end");
    expect(&check, app.view.place.screen == SCREEN_SOURCE || app.back_count > 0,
           "nothing was done");
    canvas_destroy(check.canvas);
    return check.failures;
}

int main(void)
{
    static const char path[] = "window_check.tmp.smtl";
    struct fake_events events = {0};
    uint64_t cycles = fake_kernel(&events, 0, 16, 9, 4, 4, 7);
    viz_record(path, &events, 1, 16, cycles);
    free(events.list);
    struct run *run = viz_open(path);
    (void)setenv("SDL_VIDEODRIVER", "dummy", 1);
    int failures = run_script(run);
    run_close(run);
    (void)unlink(path);
    (void)printf("%d steps, %d failures\n", STEPS, failures);
    return failures > 0;
}
