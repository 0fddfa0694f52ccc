/* Finds the nearest of a number of names. */
#include "trace/nearest.h"

#include <stdbool.h>
#include <string.h>

#include "config/suggest.h"

void nearest_start(struct nearest_name *nearest, const char *word)
{
    nearest->word = word;
    nearest->best = NULL;
    nearest->distance = (unsigned)(strlen(word) / 3 + 1); /* longer words may have more mistakes */
}

void nearest_offer(struct nearest_name *nearest, const char *candidate)
{
    if (!candidate[0])
        return;
    size_t distance = suggest_distance(nearest->word, candidate);
    bool better = nearest->best ? distance < nearest->distance : distance <= nearest->distance;
    if (!better || distance >= strlen(nearest->word))
        return;
    nearest->best = candidate;
    nearest->distance = (unsigned)distance;
}
