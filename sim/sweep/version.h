/* The version of the simulator. Two simulators whose sources differ in a file that decides results
 * have different versions. */
#ifndef SIM_SWEEP_VERSION_H
#define SIM_SWEEP_VERSION_H

/* "0.1.0+" and the first 12 digits of the SHA-256 of all source files that decide results. */
extern const char sweep_version[];

#endif
