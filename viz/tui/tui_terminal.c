/* The terminal as a device: modes, signals, reading and writing. */
#include "tui/tui_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"

/*
 * xterm's private modes: 1049 alternate screen, 25 cursor, 7 automatic new lines, 1002 and 1003
 * mouse moves with and without a button pressed, 1006 mouse positions as numbers. Terminals ignore
 * modes that they do not have.
 */
static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[?1002h\033[?1003h\033[?1006h"
                            "\033[0m\033[2J";
static const char leave[] = "\033[0m\033[?1006l\033[?1003l\033[?1002l\033[?7h\033[?25h\033[?1049l";

/* Static, because signal handlers use it. */
static struct {
    struct termios before;
    volatile sig_atomic_t taken, resized, stop, end;
    int wake[2]; /* pipe: signal handlers write, terminal_wait() reads */
} device = {.wake = {-1, -1}};

bool terminal_write(const char *text, size_t size)
{
    while (size) {
        ssize_t written = write(STDOUT_FILENO, text, size);
        struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
        if (written < 0 && errno == EAGAIN)
            (void)poll(&ready, 1, -1);
        else if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Restores the terminal. Async-signal-safe. */
static void restore_terminal(void)
{
    if (!device.taken)
        return;
    device.taken = 0;
    (void)terminal_write(leave, sizeof leave - 1);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &device.before);
}

static void set_raw_mode(void)
{
    struct termios raw = device.before;
    raw.c_iflag &= (tcflag_t) ~(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
    raw.c_oflag &= (tcflag_t)~OPOST;
    raw.c_lflag &= (tcflag_t) ~(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
    raw.c_cflag = (raw.c_cflag & (tcflag_t) ~(CSIZE | PARENB)) | CS8;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    (void)terminal_write(enter, sizeof enter - 1);
    device.taken = 1;
}

static void on_signal(int signal)
{
    int before = errno;
    if (signal == SIGWINCH || signal == SIGCONT)
        device.resized = 1;
    else if (signal == SIGTSTP)
        device.stop = 1;
    else
        device.end = 1;
    (void)!write(device.wake[1], "", 1);
    errno = before;
}

static void on_crash(int signal)
{
    restore_terminal();
    (void)raise(signal); /* the default handler runs now */
}

static void handle(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_flags = flags};
    action.sa_handler = handler;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(signal, &action, NULL);
}

static void handle_all(bool on)
{
    static const int noted[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++)
        handle(noted[i], on ? on_signal : SIG_DFL, SA_RESTART);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        handle(crashes[i], on ? on_crash : SIG_DFL, (int)(SA_RESETHAND | SA_NODEFER));
}

static bool open_pipe(void)
{
    if (device.wake[0] >= 0)
        return true;
    if (pipe(device.wake) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        (void)fcntl(device.wake[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(device.wake[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

enum simsm_status terminal_open(struct simsm_error *error)
{
    const char *kind = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
        tcgetattr(STDIN_FILENO, &device.before) != 0)
        return err_set(error, SIMSM_FAILED,
                       "%s is not a terminal: simsm timeline FILE prints letters for pipes and "
                       "files, and simsm-view FILE --png PICTURE.png draws without any display",
                       isatty(STDIN_FILENO) ? "the output" : "the input");
    if (!kind || !*kind || strcmp(kind, "dumb") == 0)
        return err_set(
            error, SIMSM_FAILED,
            "TERM is '%s': such a terminal cannot be drawn on. simsm timeline FILE prints "
            "letters, or set TERM to what the terminal is, for example xterm",
            kind ? kind : "");
    if (!open_pipe())
        return err_set(error, SIMSM_FAILED, "a pipe cannot be created: %s", strerror(errno));
    device.resized = device.stop = device.end = 0;
    handle_all(true);
    set_raw_mode();
    return SIMSM_OK;
}

void terminal_close(void)
{
    restore_terminal();
    handle_all(false);
}

void terminal_size(int *w, int *h)
{
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    *w = known ? size.ws_col : 80;
    *h = known ? size.ws_row : 24;
}

/* Returns whether a signal has come, and sets *event to its meaning. */
static bool pending_event(enum terminal_event *event)
{
    if (device.end)
        *event = TERMINAL_END;
    else if (device.stop)
        *event = TERMINAL_STOP;
    else if (device.resized)
        *event = TERMINAL_RESIZED;
    else
        return false;
    if (*event == TERMINAL_RESIZED) {
        device.resized = 0;
        set_raw_mode(); /* the shell may have changed the modes */
    }
    device.stop = 0;
    return true;
}

enum terminal_event terminal_wait(int ms, char *bytes, size_t room, size_t *used)
{
    struct pollfd wait[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = device.wake[0], .events = POLLIN}};
    enum terminal_event event = TERMINAL_NOTHING;
    char drain[64];
    *used = 0;
    if (pending_event(&event))
        return event;
    int ready = poll(wait, 2, ms);
    while (read(device.wake[0], drain, sizeof drain) > 0)
        ;
    if (pending_event(&event))
        return event;
    if (ready <= 0 || !wait[0].revents)
        return TERMINAL_NOTHING;
    ssize_t count = read(STDIN_FILENO, bytes, room);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return TERMINAL_NOTHING;
    if (count <= 0)
        return TERMINAL_END;
    *used = (size_t)count;
    return TERMINAL_INPUT;
}

/*
 * Stops the whole process group, as Ctrl+Z does, so that a simsm that waits for this program stops
 * too.
 */
void terminal_stop(void)
{
    restore_terminal();
    handle(SIGTSTP, SIG_DFL, SA_RESTART);
    (void)kill(0, SIGTSTP);
    handle(SIGTSTP, on_signal, SA_RESTART);
    device.resized = 0;
    set_raw_mode();
}
