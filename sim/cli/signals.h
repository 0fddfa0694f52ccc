/* Signals that ask the program to end: they are noted, so that files can be finished or removed. */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

#include <stdbool.h>

/*
 * Notes SIGINT, SIGTERM and SIGHUP from this call on. Call it before the first file is opened. A
 * second signal, more than a second after the first, ends the process at once and removes
 * unfinished files. Finished files stay whole, because they are written under another name and
 * renamed. A SIGHUP that is ignored (nohup) stays ignored. Until signals_restart() is called, a
 * signal interrupts a wait for a pipe.
 */
void signals_listen(void);

/* From this call on, signals interrupt no system call, so that no write is cut short. */
void signals_restart(void);

/*
 * Announces that code of a policy plugin runs, up to signals_leave_plugin(). `plugin` is its path;
 * "": no plugin, no effect. Meanwhile:
 * - A crash prints one line that names the plugin, and ends the process with status 1. The handlers
 *   stay after signals_leave_plugin(), because the plugin may have damaged memory.
 * - A call of exit() by the plugin does the same.
 * - After a signal that asks the program to end, the plugin has some seconds to return. Then the
 *   process removes unfinished files and ends by this signal.
 */
void signals_enter_plugin(const char *plugin);

/* Ends the part of the run in which code of the plugin runs. */
void signals_leave_plugin(void);

/* Returns the first of the noted signals; 0: none. Any thread may call it. */
int signals_first(void);

/* Returns the name of this signal for messages: "Ctrl-C", "SIGTERM" or "SIGHUP". */
const char *signals_name(void);

#endif
