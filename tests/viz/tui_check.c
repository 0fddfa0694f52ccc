/*
 * The viewer in a terminal, driven through a pty: keys and the mouse are typed, and the screen that
 * a terminal would show is compared with the recorded ones of tui.txt. Each of these is
 *
 *     == RUN[+OTHER] WIDTHxHEIGHT OPTIONS | ENVIRONMENT | KEYS
 *
 * and its lines; the last one has a hash of all colours. With REBASELINE=1 in the environment the
 * file is rewritten with what is shown now. Then: the terminal is given back however the program
 * ends.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "viz_fixture.h"

/* Milliseconds: until a screen must be there, that also once one was wrong, without a change. */
enum { PATIENCE = 10000, IMPATIENCE = 1000, SETTLED = 150 };

enum { MOST_SCREENS = 64, ROOM = 512, RUNS = 4 };

static const char *viewer;
static int failures;

static const struct {
    const char *name, *config, *trace, *setting;
} runs[RUNS] = {
    {"divergent", "configs/t4.yaml", "traces/divergent.trace", "gpu.sms=2"},
    {"waves", "configs/t4.yaml", "traces/lessons/waves.trace", "gpu.sms=4"},
    {"latency", "configs/t4.yaml", "traces/lessons/latency.trace", NULL},
    {"ahead", "configs/h100.yaml", "traces/lessons/copy_ahead.sm_90a.cubin", "gpu.sms=2"},
};

static void file_of(const char *run, char path[64])
{
    if (strcmp(run, "program") == 0) {
        (void)snprintf(path, 64, "tests/data/program/beside.json");
        return;
    }
    (void)snprintf(path, 64, "tui_%s.smtl", run);
    for (int i = 0; i < RUNS; i++)
        if (strcmp(runs[i].name, run) == 0 && access(path, F_OK) != 0)
            viz_simulate(path, runs[i].config, runs[i].trace, runs[i].setting);
}

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    failures++;
}

/* ---- Recorded screens ---- */

struct recorded {
    char head[ROOM]; /* without "== " */
    char *lines[VT_MOST + 1];
    int count;
};

static int load(const char *path, struct recorded *screens)
{
    FILE *file = fopen(path, "r");
    char line[VT_MOST * 4 + 2];
    int count = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "== ", 3) == 0 && count < MOST_SCREENS)
            (void)snprintf(screens[count++].head, ROOM, "%.500s", line + 3);
        else if (count && screens[count - 1].count <= VT_MOST)
            screens[count - 1].lines[screens[count - 1].count++] = strdup(line);
    }
    if (file)
        (void)fclose(file);
    return count;
}

/* Line `y` of what is shown; one past the last one the colours. */
static const char *shown_line(const struct vt *vt, int y, char *text)
{
    if (y < vt->h)
        return vt_line(vt, y, text);
    (void)sprintf(text, "-- colours %08x", (unsigned)vt_looks(vt));
    return text;
}

/* The first line that is not the recorded one; -1: all are. */
static int first_other(const struct vt *vt, const struct recorded *screen)
{
    char text[VT_MOST * 4 + 1];
    for (int y = 0; y <= vt->h; y++)
        if (y >= screen->count || strcmp(shown_line(vt, y, text), screen->lines[y]) != 0)
            return y;
    return -1;
}

static bool is_recorded(struct pty *pty, const void *screen)
{
    return first_other(&pty->vt, screen) < 0;
}

/* Words of a head's part, as arguments; the viewer first, then the runs. */
static void start(struct pty *pty, const char *head)
{
    char run[64], other[64] = "", options[ROOM], environment[ROOM];
    static char paths[2][64];
    char *words[24] = {(char *)viewer, "--tui", paths[0]};
    int count = 3;
    int w, h;
    if (sscanf(head, "%63[^+ ]+%63s %dx%d%511[^|]|%511[^|]", run, other, &w, &h, options,
               environment) != 6) {
        other[0] = '\0';
        if (sscanf(head, "%63s %dx%d%511[^|]|%511[^|]", run, &w, &h, options, environment) != 5) {
            (void)fprintf(stderr, "not understood: == %s\n", head);
            exit(1);
        }
    }
    file_of(run, paths[0]);
    if (other[0]) {
        file_of(other, paths[1]);
        words[count++] = paths[1];
    }
    for (char *word = strtok(options, " "); word && count < 23; word = strtok(NULL, " "))
        words[count++] = word;
    pty_start(pty, w, h, environment, words);
}

/* Everything has been read, and drawn to the last line. */
static bool is_drawn(struct pty *pty, const void *unused)
{
    char text[VT_MOST * 4 + 1];
    (void)unused;
    vt_line(&pty->vt, pty->vt.h - 1, text);
    return !strchr(text, '\x7f') && !strstr(text, "reading");
}

/* Keys as words: special ones by their names, "3,4!" a click there, the rest as it is. */
static void type(struct pty *pty, char *keys)
{
    static const char *const names[][2] = {
        {"up", "\033[A"},
        {"down", "\033[B"},
        {"right", "\033[C"},
        {"left", "\033[D"},
        {"c-right", "\033[1;5C"},
        {"return", "\r"},
        {"tab", "\t"},
        {"back", "\177"},
        {"pgdn", "\033[6~"},
        {"alt-right", "\033\033[C"},
        {"space", " "},
    };
    for (char *key = strtok(keys, " "); key; key = strtok(NULL, " ")) {
        char sequence[64];
        int x, y, wheel;
        (void)snprintf(sequence, sizeof sequence, "%s", key);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strcmp(names[i][0], key) == 0)
                (void)snprintf(sequence, sizeof sequence, "%s", names[i][1]);
        if (sscanf(key, "click:%d,%d", &x, &y) == 2)
            (void)snprintf(sequence, sizeof sequence, "\033[<0;%d;%dM\033[<0;%d;%dm", x, y, x, y);
        if (sscanf(key, "wheel:%d,%d,%d", &x, &y, &wheel) == 3)
            (void)snprintf(sequence, sizeof sequence, "\033[<%d;%d;%dM", wheel > 0 ? 64 : 65, x, y);
        if (sscanf(key, "drag:%d,%d,%d", &x, &y, &wheel) == 3)
            (void)snprintf(sequence, sizeof sequence, "\033[<0;%d;%dM\033[<32;%d;%dM\033[<0;%d;%dm",
                           x, y, wheel, y, wheel, y);
        pty_type(pty, sequence);
    }
}

/* Records the shown screen in place of the old one. */
static void record(const struct vt *vt, struct recorded *screen)
{
    char text[VT_MOST * 4 + 1];
    for (int i = 0; i < screen->count; i++)
        free(screen->lines[i]);
    screen->count = vt->h + 1;
    for (int y = 0; y <= vt->h; y++)
        screen->lines[y] = strdup(shown_line(vt, y, text));
}

static void check_screen(struct recorded *screen, bool rebaseline)
{
    struct pty pty;
    char text[VT_MOST * 4 + 1];
    const char *bar = strchr(strchr(screen->head, '|') + 1, '|');
    char keys[ROOM];
    (void)snprintf(keys, sizeof keys, "%s", bar ? bar + 1 : "");
    start(&pty, screen->head);
    if (!pty_read(&pty, PATIENCE, is_drawn, NULL))
        fail(screen->head, "nothing is drawn");
    type(&pty, keys);
    if (rebaseline) {
        while (pty_read(&pty, SETTLED, NULL, NULL))
            ;
        (void)pty_read(&pty, PATIENCE, is_drawn, NULL);
        record(&pty.vt, screen);
    } else if (!pty_read(&pty, failures ? IMPATIENCE : PATIENCE, is_recorded, screen)) {
        int y = first_other(&pty.vt, screen);
        (void)fprintf(stderr, "line %d is\n  %s\nand was\n  %s\n", y + 1,
                      shown_line(&pty.vt, y, text),
                      y < screen->count ? screen->lines[y] : "(not there)");
        fail(screen->head, "the screen is not the recorded one; REBASELINE=1 records it anew");
    }
    if (pty.vt.fault[0])
        fail(screen->head, pty.vt.fault);
    if (pty.vt.coloured == (strstr(screen->head, "NO_COLOR") != NULL))
        fail(screen->head, pty.vt.coloured ? "colours in spite of NO_COLOR" : "no colours");
    pty_end(&pty);
}

static void check_screens(const char *path)
{
    static struct recorded screens[MOST_SCREENS];
    const char *wish = getenv("REBASELINE");
    bool rebaseline = wish && *wish;
    int count = load(path, screens);
    if (!count)
        fail(path, "no screens");
    for (int i = 0; i < count; i++)
        check_screen(&screens[i], rebaseline);
    FILE *file = rebaseline ? fopen(path, "w") : NULL;
    for (int i = 0; i < count; i++) {
        if (file)
            (void)fprintf(file, "== %s\n", screens[i].head);
        for (int y = 0; y < screens[i].count; y++) {
            if (file)
                (void)fprintf(file, "%s\n", screens[i].lines[y]);
            free(screens[i].lines[y]);
        }
    }
    if (file)
        (void)fclose(file);
}

/* ---- The terminal is given back ---- */

static const char usual[] = "latency 80x24 | TERM=xterm-256color LANG=C.UTF-8 |";

static void begin(struct pty *pty)
{
    start(pty, usual);
    if (!pty_read(pty, PATIENCE, is_drawn, NULL))
        fail("start", "nothing is drawn");
    if (pty_restored(pty) || !pty->vt.other_screen || pty->vt.cursor || !pty->vt.mouse)
        fail("start", "the terminal was not taken");
}

/* Ends by keys or by a signal; `status` as waitpid gives it, -1: any but 0. */
static void check_end(const char *what, const char *keys, int signal, int status)
{
    struct pty pty;
    int ended = 0;
    begin(&pty);
    if (keys)
        pty_type(&pty, keys);
    else
        (void)kill(pty.job, signal);
    if (pty_wait(&pty, &ended) != 'X')
        fail(what, "it did not end");
    else if (status < 0 ? ended == 0 : ended != status)
        fail(what, "its status is another one");
    if (!pty_restored(&pty))
        fail(what, "the terminal is not as it was");
    pty_end(&pty);
}

/* Stopped, by a key or from outside, the shell has the terminal; then it goes on. */
static void check_stop(const char *what, const char *keys)
{
    struct pty pty;
    int status = 0;
    begin(&pty);
    if (keys)
        pty_type(&pty, keys);
    else
        (void)kill(pty.job, SIGTSTP);
    if (pty_wait(&pty, &status) != 'S')
        fail(what, "it did not stop");
    if (!pty_restored(&pty))
        fail(what, "the shell's terminal is not as it was");
    vt_init(&pty.vt, 80, 24);
    pty_continue(&pty);
    if (!pty_read(&pty, PATIENCE, is_drawn, NULL) || pty_restored(&pty))
        fail(what, "it does not go on");
    pty_type(&pty, "q");
    if (pty_wait(&pty, &status) != 'X' || status != 0 || !pty_restored(&pty))
        fail(what, "it does not end well after that");
    pty_end(&pty);
}

static void check_resize(void)
{
    static const char *const keys[] = {
#define SCREEN(id, name, key, ...) key,
#include "view/screens.def"
#undef SCREEN
    };
    static const int sizes[][2] = {{120, 40}, {40, 12}, {1, 1}, {2, 200}, {200, 3}, {80, 24}};
    struct pty pty;
    int status = 0;
    begin(&pty);
    for (size_t screen = 0; screen < sizeof keys / sizeof keys[0]; screen++) {
        pty_type(&pty, keys[screen]);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            pty_resize(&pty, sizes[i][0], sizes[i][1]);
            if (!pty_read(&pty, PATIENCE, is_drawn, NULL))
                fail("resize", "it does not draw anew");
        }
    }
    if (pty.vt.fault[0])
        fail("resize", pty.vt.fault);
    pty_type(&pty, "q");
    if (pty_wait(&pty, &status) != 'X' || status != 0)
        fail("resize", "it does not end");
    pty_end(&pty);
}

/* A refused file gives a message and leaves the terminal unchanged. */
static void check_refusal(const char *head, char *const words[], const char *told)
{
    struct pty pty;
    char text[VT_MOST * 4 + 1];
    char all[4096] = "";
    int status = 0;
    pty_start(&pty, 200, 24, head, words);
    pty.vt.other_screen = true; /* look at what it prints */
    if (pty_wait(&pty, &status) != 'X' || status == 0)
        fail(told, "it does not refuse");
    for (int y = 0; y < pty.vt.h; y++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%.160s",
                       vt_line(&pty.vt, y, text));
    if (!strstr(all, told))
        fail(told, all);
    pty_end(&pty);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: tui_check SIMSM-VIEW SCREENS\n");
        return 2;
    }
    viewer = argv[1];
    char latency[64];
    file_of("latency", latency);
    check_screens(argv[2]);
    check_end("q", "q", 0, 0);
    check_end("Ctrl+C", "\003", 0, 0);
    check_end("SIGTERM", NULL, SIGTERM, 0);
    check_end("SIGHUP", NULL, SIGHUP, 0);
    check_end("a crash", NULL, SIGSEGV, -1);
    check_end("a file that shrinks", NULL, SIGBUS, -1);
    check_stop("Ctrl+Z", "\032");
    check_stop("SIGTSTP", NULL);
    check_resize();
    check_refusal("TERM=dumb", (char *[]){argv[1], "--tui", latency, NULL}, "cannot be drawn on");
    check_refusal("TERM=xterm", (char *[]){argv[1], "--tui", "absent.smtl", NULL}, "absent.smtl");
    for (int i = 0; i < RUNS; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "tui_%s.smtl", runs[i].name);
        (void)unlink(path);
    }
    return failures ? 1 : 0;
}
