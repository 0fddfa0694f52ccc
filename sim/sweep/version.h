/* Which simulator computes: two that differ in a line of the model have different versions. */
#ifndef SIM_SWEEP_VERSION_H
#define SIM_SWEEP_VERSION_H

/* "0.1.0+" and the beginning of the SHA-256 of all source files that decide what is counted. */
extern const char sweep_version[];

#endif
