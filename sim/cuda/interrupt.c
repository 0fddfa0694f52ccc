#define _GNU_SOURCE /* registers of a signal's context */
/* Signal handlers, and the thread that writes the reports when a signal came. */
#include "cuda/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

#include "cuda/host_watch.h"

atomic_int interrupt_came;

static const struct {
    int signal;
    bool crash; /* the thread that got the signal cannot go on */
} watched[] = {{SIGINT, false}, {SIGTERM, false}, {SIGHUP, false}, {SIGSEGV, true},
               {SIGBUS, true},  {SIGFPE, true},   {SIGABRT, true}};
enum { WATCHED = sizeof watched / sizeof watched[0], FINISH_MS = 5000 };

static int notices[2], answers[2]; /* pipes: handler to reporting thread, and back */
static pid_t owner;
static void (*report)(const struct interrupt *interrupt);
static bool (*mend)(const struct host_fault *fault);
static struct sigaction program_action; /* for faults that are not mended */

/* Restores the default action of a signal. */
static void leave_to_system(int signal)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(signal, &action, NULL);
}

static bool is_crash(int signal)
{
    for (int i = 0; i < WATCHED; i++) {
        if (watched[i].signal == signal)
            return watched[i].crash;
    }
    return false;
}

/*
 * Handles a signal. Calls only functions that are safe in a handler; another thread writes the
 * reports. After a crash, waits up to FINISH_MS for the reports.
 */
static void handle(int signal, siginfo_t *info, void *context)
{
    (void)context;
    const bool fault = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
    const struct interrupt notice = {signal, is_crash(signal), fault ? info->si_addr : NULL,
                                     pthread_self()};
    if (getpid() != owner || atomic_exchange(&interrupt_came, signal) != 0 ||
        write(notices[1], &notice, sizeof notice) != sizeof notice) {
        leave_to_system(signal); /* a second signal ends the program at once */
        (void)raise(signal);
        return;
    }
    if (!notice.crash)
        return;
    struct pollfd answer = {.fd = answers[0], .events = POLLIN};
    (void)poll(&answer, 1, FINISH_MS);
    leave_to_system(signal);
    if (info->si_code <= 0) /* sent by kill: it does not come again by itself */
        (void)raise(signal);
}

/* Reads from the registers what has faulted. */
static struct host_fault fault_of(const siginfo_t *info, const void *context)
{
    struct host_fault fault = {.address = (uintptr_t)info->si_addr};
#if defined(__x86_64__)
    const ucontext_t *registers = context;
    enum { WRITES = 2 }; /* a bit of the error code of a page fault */
    fault.at = (uintptr_t)registers->uc_mcontext.gregs[REG_RIP];
    fault.writes = (registers->uc_mcontext.gregs[REG_ERR] & WRITES) != 0;
    fault.known = true;
#elif defined(__aarch64__)
    const ucontext_t *registers = context;
    fault.at = (uintptr_t)registers->uc_mcontext.pc;
#else
    (void)context;
#endif
    return fault;
}

/* Handles a fault of an access: mends it, or leaves it to the program's handler, or to ours. */
static void handle_fault(int signal, siginfo_t *info, void *context)
{
    static _Thread_local bool leaving; /* the program's handler may call this one */
    const int error = errno;
    if (info->si_code == SEGV_ACCERR && getpid() == owner) {
        const struct host_fault fault = fault_of(info, context);
        const bool mended = mend(&fault);
        errno = error;
        if (mended)
            return;
    }
    const bool plain = !(program_action.sa_flags & SA_SIGINFO);
    if (leaving ||
        (plain && (program_action.sa_handler == SIG_DFL || program_action.sa_handler == SIG_IGN))) {
        handle(signal, info, context);
        return;
    }
    leaving = true;
    if (plain)
        program_action.sa_handler(signal);
    else
        program_action.sa_sigaction(signal, info, context);
    leaving = false;
}

bool interrupt_take_faults(void)
{
    struct sigaction now;
    if (owner != getpid() || sigaction(SIGSEGV, NULL, &now) != 0)
        return false;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle_fault)
        return true;
    program_action = now;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle)
        program_action = (struct sigaction){.sa_handler = SIG_DFL};
    /* Not on the stack that the program may have given its handlers: it can be too small for ours.
     */
    struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    return sigaction(SIGSEGV, &action, NULL) == 0;
}

/*
 * The reporting thread: waits for a signal, writes the reports, ends the process with the signal.
 */
static void *wait_for_notice(void *unused)
{
    (void)unused;
    struct interrupt notice;
    if (read(notices[0], &notice, sizeof notice) != sizeof notice)
        return NULL;
    report(&notice);
    if (notice.crash) {
        (void)!write(answers[1], "", 1);
        return NULL;
    }
    leave_to_system(notice.signal);
    (void)kill(getpid(), notice.signal);
    return NULL;
}

/*
 * Starts the reporting thread with all signals blocked, so that the program's signals reach the
 * program's threads.
 */
static bool start_thread(void)
{
    sigset_t all, before;
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, &attributes, wait_for_notice, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

static bool open_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

void interrupt_watch(void (*finish)(const struct interrupt *interrupt),
                     bool (*mend_fault)(const struct host_fault *fault))
{
    if (owner == getpid())
        return;
    owner = getpid();
    report = finish;
    mend = mend_fault;
    if (!open_pipe(notices) || !open_pipe(answers) || !start_thread())
        return;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        struct sigaction before;
        if (sigaction(watched[i].signal, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            (void)sigaction(watched[i].signal, &action, NULL);
    }
}
