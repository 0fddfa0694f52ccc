/*
 * The nearest of a number of names, for "did you mean" messages: start with the word, offer all
 * names, then read `best`.
 */
#ifndef SIM_TRACE_NEAREST_H
#define SIM_TRACE_NEAREST_H

struct nearest_name {
    const char *word;
    const char *best; /* NULL while no name is near enough */
    unsigned distance;
};

void nearest_start(struct nearest_name *nearest, const char *word);
void nearest_offer(struct nearest_name *nearest, const char *candidate);

#endif
