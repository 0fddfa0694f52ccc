#include "pty.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10000 /* ms */ };

static void need(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void set_size(int terminal, int w, int h)
{
    struct winsize size = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};
    need(ioctl(terminal, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
}

static void set_environment(const char *words)
{
    static const char *const ours[] = {"TERM",   "COLORTERM", "NO_COLOR", "LANG",
                                       "LC_ALL", "LC_CTYPE",  NULL};
    char *copy = strdup(words);
    for (int i = 0; ours[i]; i++)
        (void)unsetenv(ours[i]);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        need(value != NULL, word);
        *value = '\0';
        (void)setenv(word, value + 1, 1);
    }
    free(copy);
}

/* The job: in a process group of its own, which has the terminal. */
static void run_job(int slave, char *const words[])
{
    (void)setpgid(0, 0);
    (void)signal(SIGTTOU, SIG_IGN);
    need(tcsetpgrp(slave, getpid()) == 0, "tcsetpgrp");
    (void)signal(SIGTTOU, SIG_DFL);
    for (int i = 0; i < 3; i++)
        (void)dup2(slave, i);
    (void)execv(words[0], words);
    perror(words[0]);
    _exit(127);
}

/* The shell: tells what becomes of the job, and continues it when it is told to. */
static void run_shell(const char *name, int report, int order, char *const words[])
{
    need(setsid() >= 0, "setsid");
    int slave = open(name, O_RDWR); /* the session's terminal from now on */
    need(slave >= 0, name);
    pid_t job = fork();
    if (job == 0)
        run_job(slave, words);
    (void)setpgid(job, job);
    (void)!write(report, &job, sizeof job);
    for (;;) {
        int status = 0;
        char told;
        if (waitpid(job, &status, WUNTRACED) != job)
            _exit(1);
        told = WIFSTOPPED(status) ? 'S' : 'X';
        (void)!write(report, &told, 1);
        (void)!write(report, &status, sizeof status);
        if (told == 'X' || read(order, &told, 1) != 1)
            break;
        (void)kill(-job, SIGCONT);
    }
    /* The terminal lasts until the test has looked at it. */
    (void)!read(order, &(char){0}, 1);
    _exit(0);
}

void pty_start(struct pty *pty, int w, int h, const char *environment, char *const words[])
{
    int report[2];
    int order[2];
    *pty = (struct pty){.master = posix_openpt(O_RDWR | O_NOCTTY)};
    need(pty->master >= 0 && grantpt(pty->master) == 0 && unlockpt(pty->master) == 0, "pty");
    const char *name = ptsname(pty->master);
    need(name && pipe(report) == 0 && pipe(order) == 0, "pipe");
    pty->slave = open(name, O_RDWR | O_NOCTTY);
    need(pty->slave >= 0 && tcgetattr(pty->slave, &pty->before) == 0, name);
    set_size(pty->master, w, h);
    vt_init(&pty->vt, w, h);
    (void)fflush(NULL);
    pty->shell = fork();
    need(pty->shell >= 0, "fork");
    if (pty->shell == 0) {
        (void)close(report[0]);
        (void)close(order[1]);
        (void)close(pty->master);
        set_environment(environment);
        (void)fcntl(report[1], F_SETFD, FD_CLOEXEC);
        (void)fcntl(order[0], F_SETFD, FD_CLOEXEC);
        run_shell(name, report[1], order[0], words);
    }
    (void)close(report[1]);
    (void)close(order[0]);
    pty->report = report[0];
    pty->order = order[1];
    need(read(pty->report, &pty->job, sizeof pty->job) == sizeof pty->job, "the job");
}

static long now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool pty_read(struct pty *pty, int ms, bool (*done)(struct pty *pty, const void *what),
              const void *what)
{
    long end = now_ms() + ms;
    for (;;) {
        char bytes[65536];
        struct pollfd wait = {.fd = pty->master, .events = POLLIN};
        if (done && done(pty, what))
            return true;
        long left = end - now_ms();
        if (left <= 0 || poll(&wait, 1, (int)left) <= 0)
            return false;
        ssize_t count = read(pty->master, bytes, sizeof bytes);
        if (count <= 0)
            return done && done(pty, what);
        vt_take(&pty->vt, bytes, (size_t)count);
    }
}

void pty_type(struct pty *pty, const char *keys)
{
    need(write(pty->master, keys, strlen(keys)) == (ssize_t)strlen(keys), "typing");
}

void pty_resize(struct pty *pty, int w, int h)
{
    bool other = pty->vt.other_screen;
    bool mouse = pty->vt.mouse;
    (void)pty_read(pty, 0, NULL, NULL);
    vt_init(&pty->vt, w, h);
    pty->vt.other_screen = other;
    pty->vt.mouse = mouse;
    pty->vt.cursor = pty->vt.wrap = !other;
    set_size(pty->master, w, h);
}

char pty_wait(struct pty *pty, int *status)
{
    long end = now_ms() + PATIENCE;
    char told = 0;
    while (now_ms() < end) {
        struct pollfd wait = {.fd = pty->report, .events = POLLIN};
        (void)pty_read(pty, 10, NULL, NULL); /* it may wait for us to read */
        if (poll(&wait, 1, 10) <= 0)
            continue;
        if (read(pty->report, &told, 1) != 1 ||
            read(pty->report, status, sizeof *status) != sizeof *status)
            return 0;
        (void)pty_read(pty, 20, NULL, NULL);
        return told;
    }
    return 0;
}

void pty_continue(struct pty *pty)
{
    (void)!write(pty->order, "", 1);
}

void pty_end(struct pty *pty)
{
    (void)kill(-pty->job, SIGKILL);
    (void)close(pty->order);
    (void)kill(pty->shell, SIGKILL);
    (void)waitpid(pty->shell, NULL, 0);
    (void)close(pty->report);
    (void)close(pty->slave);
    (void)close(pty->master);
}

bool pty_restored(struct pty *pty)
{
    struct termios now;
    const struct termios *was = &pty->before;
    const struct vt *vt = &pty->vt;
    need(tcgetattr(pty->slave, &now) == 0, "tcgetattr");
    return now.c_iflag == was->c_iflag && now.c_oflag == was->c_oflag &&
           now.c_cflag == was->c_cflag && now.c_lflag == was->c_lflag &&
           memcmp(now.c_cc, was->c_cc, sizeof now.c_cc) == 0 && !vt->other_screen && vt->cursor &&
           vt->wrap && !vt->mouse;
}
