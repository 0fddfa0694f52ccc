/* Findings as text, in the words of compute-sanitizer, as SARIF and as JUnit. */
#ifndef SIM_SANITIZE_FINDINGS_WRITE_H
#define SIM_SANITIZE_FINDINGS_WRITE_H

#include <stdio.h>

#include "sanitize/findings.h"

/* What was checked, for the last line. */
struct findings_subject {
    const char *program; /* its command line */
    uint64_t launches;
};

typedef bool findings_writer(const struct findings *findings,
                             const struct findings_subject *subject, FILE *file);

/* Returns the writer that --as names (NULL: not given), or NULL if there is no such format. */
findings_writer *findings_format(const char *as);

/* Write all findings to `file`; return false if memory is short, or if writing has failed. */
bool findings_text(const struct findings *findings, const struct findings_subject *subject,
                   FILE *file);
bool findings_sanitizer(const struct findings *findings, const struct findings_subject *subject,
                        FILE *file);
/* Writes the places and calls of a finding as text, a line for each. */
void findings_text_places(const struct finding *finding, FILE *file);
/* SARIF 2.1.0 (OASIS), as code hosts read it. */
bool findings_sarif(const struct findings *findings, const struct findings_subject *subject,
                    FILE *file);
/* JUnit's XML: each kind is a test case, which fails if it was found. */
bool findings_junit(const struct findings *findings, const struct findings_subject *subject,
                    FILE *file);

#endif
