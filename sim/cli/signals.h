/* Signals that ask the program to end soon, with whole files. */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP are only noted, so that the program can remove or finish
 * its files. One that comes more than a second after the first ends it at once: files under their
 * names are whole all the same, as they are written beside and renamed.
 * A SIGHUP that is ignored (nohup) stays so. Call it before the first file is opened. Until
 * signals_restart is called, a signal ends a wait for a pipe.
 */
void signals_listen(void);

/* From now on no system call is given up for a signal, least of all what is written. */
void signals_restart(void);

/* From now on a crash is put down to the policies of this module, in a line, with status 1: they
 * are the user's own code. */
void signals_blame(const char *module);

/* The first of these signals that came; 0: none. Any thread may ask. */
int signals_first(void);

/* The words for it: "Ctrl-C", "SIGTERM" or "SIGHUP". */
const char *signals_words(void);

#endif
