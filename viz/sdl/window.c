/* The window: SDL events go to the application, and its frames become a texture. */
#include "sdl/window.h"

#include <SDL.h>
#include <string.h>

#include "base/err.h"

enum { IDLE_MS = 200, KEY_TEXT = 64, MOST_SCALE = 400 };

struct window {
    struct app *app;
    const struct window_options *options;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    struct canvas *canvas;
    bool dirty;
    int scale;    /* percent, chosen by the user; 0: as the display says */
    double ratio; /* device pixels for one unit of the desktop */
};

/*
 * Opens SDL's video. Without a display some versions of SDL choose a driver that shows nothing, and
 * the program would run forever, unseen (libsdl-org/SDL #6233). Such a driver is accepted only if
 * SDL_VIDEODRIVER names it.
 */
static enum simsm_status init_video(struct simsm_error *error)
{
    const char *wanted = SDL_getenv("SDL_VIDEODRIVER");
    bool wayland = SDL_getenv("XDG_RUNTIME_DIR") != NULL;
    bool possible = wanted || wayland || SDL_getenv("DISPLAY");
    if (!wanted && !wayland) /* libwayland would complain on stderr */
        (void)SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
    if (possible && SDL_Init(SDL_INIT_VIDEO) == 0) {
        const char *driver = SDL_GetCurrentVideoDriver();
        bool blind = strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0 ||
                     strcmp(driver, "evdev") == 0;
        if (!blind || (wanted && strcmp(wanted, driver) == 0))
            return SIMSM_OK;
        SDL_Quit();
    }
    return err_set(
        error, SIMSM_FAILED,
        "no display: a window cannot be shown here. simsm tui FILE shows it in this terminal, "
        "simsm-view FILE --png PICTURE.png draws without a display, and simsm report FILE "
        "--html PAGE.html makes a page for a browser");
}

static enum simsm_status failed(struct simsm_error *error)
{
    return err_set(error, SIMSM_FAILED, "the window cannot be shown: %s", SDL_GetError());
}

/*
 * Returns the scale of the display in percent. If the desktop scales windows itself, pixels and
 * units differ. X11 does not scale; there the density of the display sets the scale: 96 dots an
 * inch are 100 %.
 */
static int display_scale(const struct window *w)
{
    float dpi = 96;
    int display = SDL_GetWindowDisplayIndex(w->window);
    if (w->ratio > 1.01)
        return (int)(w->ratio * 100 + 0.5);
    if (SDL_GetDisplayDPI(display < 0 ? 0 : display, &dpi, NULL, NULL) != 0)
        return 100;
    int scale = (int)(dpi / 96 * 4) * 25; /* in steps of a quarter, rounded down */
    return scale < 100 ? 100 : scale > MOST_SCALE ? MOST_SCALE : scale;
}

/* Fits canvas and texture to the window. Returns false on failure. */
static bool fit(struct window *w)
{
    int wide, high, units;
    SDL_GetRendererOutputSize(w->renderer, &wide, &high);
    SDL_GetWindowSize(w->window, &units, NULL);
    w->ratio = units > 0 ? (double)wide / units : 1;
    int scale = w->scale ? w->scale : display_scale(w);
    if (!w->scale && app_fit_scale(wide, high) > scale)
        scale = app_fit_scale(wide, high);
    SDL_DestroyTexture(w->texture);
    w->texture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_ARGB8888,
                                   SDL_TEXTUREACCESS_STREAMING, wide, high);
    bool ok = w->texture != NULL;
    if (ok && !w->canvas)
        w->canvas = canvas_create(wide, high, scale);
    else if (ok)
        ok = canvas_resize(w->canvas, wide, high, scale);
    if (!ok || !w->canvas)
        return false;
    app_resize(w->app, wide, high, scale);
    w->dirty = true;
    return true;
}

static enum simsm_status open_window(struct window *w, struct simsm_error *error)
{
    const struct window_options *o = w->options;
    w->window = SDL_CreateWindow(o->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, o->width,
                                 o->height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!w->window)
        return failed(error);
    SDL_SetWindowMinimumSize(w->window, 640, 360);
    w->renderer = SDL_CreateRenderer(w->window, -1, 0);
    if (!w->renderer)
        w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_SOFTWARE);
    if (!w->renderer || !fit(w))
        return failed(error);
    SDL_StartTextInput();
    return SIMSM_OK;
}

/*
 * SDL wakes itself with messages to the window on a second connection. One that the server takes
 * after the window is gone ends the program with BadWindow. Hiding waits for the server's answer.
 */
static void close_window(struct window *w)
{
    if (w->window)
        SDL_HideWindow(w->window);
    canvas_destroy(w->canvas);
    SDL_DestroyTexture(w->texture);
    SDL_DestroyRenderer(w->renderer);
    SDL_DestroyWindow(w->window);
    SDL_Quit();
}

static void present(struct window *w)
{
    int stride;
    app_draw(w->app, w->canvas);
    const uint32_t *pixels = canvas_pixels(w->canvas, &stride);
    SDL_UpdateTexture(w->texture, NULL, pixels, stride * (int)sizeof *pixels);
    SDL_RenderCopy(w->renderer, w->texture, NULL, NULL);
    SDL_RenderPresent(w->renderer);
    w->dirty = w->app->view.loading || w->app->playing;
}

/*
 * Names a key, as "ctrl+shift+left". Characters get no name here: they come as text, as their keys
 * depend on the keyboard.
 */
static void key_name(const SDL_Keysym *key, char name[KEY_TEXT])
{
    static const struct {
        SDL_Keycode code;
        const char *name;
    } special[] = {
        {SDLK_LEFT, "left"},           {SDLK_RIGHT, "right"},   {SDLK_UP, "up"},
        {SDLK_DOWN, "down"},           {SDLK_PAGEUP, "pageup"}, {SDLK_PAGEDOWN, "pagedown"},
        {SDLK_HOME, "home"},           {SDLK_END, "end"},       {SDLK_TAB, "tab"},
        {SDLK_BACKSPACE, "backspace"}, {SDLK_RETURN, "return"}, {SDLK_KP_ENTER, "return"},
        {SDLK_ESCAPE, "escape"},       {SDLK_F1, "f1"},
    };
    name[0] = '\0';
    const char *plain = NULL;
    char letter[2] = "";
    for (size_t i = 0; i < SDL_arraysize(special); i++)
        if (special[i].code == key->sym)
            plain = special[i].name;
    bool control = key->mod & (KMOD_CTRL | KMOD_GUI);
    if (!plain && control && key->sym > ' ' && key->sym < 127) {
        letter[0] = (char)key->sym;
        plain = letter;
    }
    /*
     * With a sign, Shift only selects the sign: Ctrl and + is Ctrl, Shift and = on some keyboards.
     */
    bool shift = key->mod & KMOD_SHIFT && !(letter[0] && !SDL_isalpha(letter[0]));
    if (plain)
        (void)SDL_snprintf(name, KEY_TEXT, "%s%s%s%s", control ? "ctrl+" : "",
                           key->mod & KMOD_ALT ? "alt+" : "", shift ? "shift+" : "", plain);
}

static void enter_text(struct app *app, const char *text)
{
    if (app_asks(app)) {
        app_typed(app, text);
        return;
    }
    char key[KEY_TEXT];
    if (text[0] >= 'A' && text[0] <= 'Z')
        (void)SDL_snprintf(key, sizeof key, "shift+%c", text[0] - 'A' + 'a');
    else
        (void)SDL_snprintf(key, sizeof key, "%s", text[0] == ' ' ? "space" : text);
    app_key(app, key);
}

/* Moves the pointer and draws a frame: only a frame knows what is under the pointer. */
static void place_pointer(struct window *w, int x, int y)
{
    app_move(w->app, x, y);
    app_draw(w->app, w->canvas);
}

static void wheel(struct window *w, const SDL_MouseWheelEvent *event)
{
    int x, y;
    SDL_GetMouseState(&x, &y);
    place_pointer(w, (int)(x * w->ratio), (int)(y * w->ratio));
    SDL_Keymod mod = SDL_GetModState();
    double clicks = event->y ? event->y : event->x;
    app_wheel(w->app, (int)(x * w->ratio), (int)(y * w->ratio), clicks,
              (mod & KMOD_SHIFT) || event->x, mod & KMOD_CTRL);
}

static void button(struct window *w, const SDL_MouseButtonEvent *event)
{
    int x = (int)(event->x * w->ratio);
    int y = (int)(event->y * w->ratio);
    if (event->button != SDL_BUTTON_LEFT)
        return;
    place_pointer(w, x, y);
    SDL_CaptureMouse(event->type == SDL_MOUSEBUTTONDOWN); /* a drag may leave the window */
    if (event->type == SDL_MOUSEBUTTONDOWN && SDL_GetModState() & KMOD_SHIFT)
        app_press_stretch(w->app, x, y);
    else if (event->type == SDL_MOUSEBUTTONDOWN)
        app_press(w->app, x, y, event->clicks == 2);
    else
        app_release(w->app, x, y);
}

static bool handle(struct window *w, const SDL_Event *event)
{
    struct app *app = w->app;
    char name[KEY_TEXT];
    w->dirty = true;
    switch (event->type) {
    case SDL_QUIT:
        app->wish = WISH_QUIT;
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
            return fit(w);
        if (event->window.event == SDL_WINDOWEVENT_LEAVE && !app->dragging &&
            app->grip == GRIP_NONE)
            app_move(app, -1, -1);
        break;
    case SDL_KEYDOWN:
        key_name(&event->key.keysym, name);
        if (name[0])
            app_key(app, name);
        break;
    case SDL_TEXTINPUT:
        if (!(SDL_GetModState() & KMOD_CTRL)) /* some systems also send text for a key with Ctrl */
            enter_text(app, event->text.text);
        break;
    case SDL_MOUSEWHEEL:
        wheel(w, &event->wheel);
        break;
    case SDL_MOUSEMOTION:
        app_move(app, (int)(event->motion.x * w->ratio), (int)(event->motion.y * w->ratio));
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        button(w, &event->button);
        break;
    default:
        w->dirty = false;
        break;
    }
    return true;
}

static bool events(struct window *w)
{
    SDL_Event event;
    bool ok = true;
    if (w->dirty ? SDL_PollEvent(&event) : SDL_WaitEventTimeout(&event, IDLE_MS)) {
        bool dirty = w->dirty;
        do {
            ok = handle(w, &event) && ok;
            dirty = dirty || w->dirty;
        } while (SDL_PollEvent(&event));
        w->dirty = dirty;
    }
    return ok;
}

static void loop(struct window *w)
{
    Uint64 last = SDL_GetPerformanceCounter();
    w->dirty = true;
    while (events(w)) {
        Uint64 now = SDL_GetPerformanceCounter();
        app_tick(w->app, (double)(now - last) / (double)SDL_GetPerformanceFrequency());
        last = now;
        if (w->app->wish == WISH_QUIT)
            return;
        if (w->app->wish != WISH_NOTHING)
            w->options->wish(w->options->context, w->app);
        if (w->options->look && w->options->look(w->options->context, w->app))
            w->dirty = true;
        if (w->app->scale != canvas_metrics(w->canvas)->scale) {
            w->scale = w->app->scale;
            if (!fit(w))
                return;
        }
        if (w->dirty || w->app->playing)
            present(w);
        if (w->app->playing)
            SDL_Delay(10);
    }
}

enum simsm_status window_run(struct app *app, const struct window_options *options,
                             struct simsm_error *error)
{
    struct window w = {.app = app, .options = options, .scale = options->scale};
    enum simsm_status status = init_video(error);
    if (status != SIMSM_OK)
        return status;
    status = open_window(&w, error);
    if (status == SIMSM_OK)
        loop(&w);
    close_window(&w);
    return status;
}
