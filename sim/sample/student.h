/* Student's t: how wide an interval must be that is based on few values. */
#ifndef SIM_SAMPLE_STUDENT_H
#define SIM_SAMPLE_STUDENT_H

/* The half-width, in standard errors, of a two-sided 95 % interval; `freedom` is at least 1 and
 * need not be whole. */
double student_95(double freedom);

#endif
