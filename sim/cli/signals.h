/* Signals that ask the program to end soon, with whole files. */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP are only noted, so that the program can remove or finish
 * its files. One that comes more than a second after the first ends it at once: files under their
 * names are whole all the same, as they are written beside and renamed. Unfinished ones are
 * removed. A SIGHUP that is ignored (nohup) stays so. Call it before the first file is opened.
 * Until signals_restart is called, a signal ends a wait for a pipe.
 */
void signals_listen(void);

/* From now on no system call is given up for a signal, least of all what is written. */
void signals_restart(void);

/*
 * From now on code of this policy module runs, which is the user's own. Until signals_unblame:
 * - A crash of the process gets one line that names the module, and status 1 (also later: the
 * module may have written where it must not).
 * - So does an exit() that the module calls.
 * - A signal that asks the program to end gives the module some seconds to return. After them the
 *   process ends by this signal. It removes unfinished files before.
 * "" is no module: nothing changes.
 */
void signals_enter_module(const char *module);
void signals_leave_module(void);

/* The first of these signals that came; 0: none. Any thread may ask. */
int signals_first(void);

/* The words for it: "Ctrl-C", "SIGTERM" or "SIGHUP". */
const char *signals_name(void);

#endif
