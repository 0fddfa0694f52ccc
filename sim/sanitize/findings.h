/* What the sanitizer has found: each mistake once, with how often it was made. */
#ifndef SIM_SANITIZE_FINDINGS_H
#define SIM_SANITIZE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "sanitize/host_stack.h"
#include "sanitize/key_map.h"

enum finding_kind {
#define FINDING(id, ...) FINDING_##id,
#include "sanitize/finding_kinds.def"
#undef FINDING
    FINDING_KINDS
};

enum finding_tool {
    TOOL_MEMORY,
    TOOL_RACE,
    TOOL_SYNC,
    TOOL_INIT,
    TOOL_LEAK,
    TOOL_API,
    FINDING_TOOLS
};
enum finding_level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR };

struct finding_row {
    enum finding_tool tool;
    enum finding_level level;
    const char *name, *title, *advice;
};
extern const struct finding_row finding_rows[FINDING_KINDS];

/* Returns the kinds (bit k: kind k) that `name` selects: a tool, such as "race", or a kind. 0:
 * there is no such tool or kind. */
uint64_t finding_select(const char *name);

/* A call of the program that a finding names. */
struct finding_call {
    uint32_t stack;                  /* its number; 0: not known */
    const struct host_stack *frames; /* NULL: not known. findings_add sets it */
};

/* The memory that a finding names: which calls have allocated and freed it. */
struct finding_memory {
    struct finding_call allocation, release;
};

enum { PLACE_CALLS = 3 };

/* One access: of a thread, or of a call of the program. */
struct finding_place {
    const char *what;      /* "write", static; "": not told; NULL: there is no such place */
    char kernel[128];      /* or the function of the runtime */
    char file[200];        /* "": not known */
    char code[120];        /* the instruction; "": none */
    uint32_t line, offset; /* offset: of the instruction in the kernel */
    uint32_t thread[3], block[3];
    bool has_thread;
    bool same_warp;  /* another thread of the warp of the first place; which one is not known */
    uint64_t launch; /* counts from 1; 0: none */
    struct {
        char file[200];
        uint32_t line;
    } inlined[PLACE_CALLS]; /* calls in the kernel whose code was inlined, innermost first */
    uint32_t inlined_count;
    struct finding_call by; /* what has launched the kernel, or the call itself */
};

enum { FINDING_PLACES = 2 };

struct finding {
    enum finding_kind kind;
    char message[420];
    struct finding_place place[FINDING_PLACES];
    struct finding_call call; /* that is at fault */
    struct finding_memory memory;
    uint64_t times;
    uint64_t key;
};

struct findings {
    struct pool list;        /* struct finding, in the order in which they were found */
    struct key_map known;    /* key -> index + 1 in the list; 0: suppressed */
    uint64_t wanted;         /* bit k: kind k is looked for */
    uint64_t suppressed;     /* how often a suppression has matched */
    struct pool suppression; /* struct suppression */
    bool failed;             /* memory was short: findings are missing */
    host_stack_fn *stack_of; /* NULL: calls are not known */
    void *stack_context;
};

/* Lines of a file of suppressions: "KIND PATTERN", where the pattern, with * and ?, matches the
 * kernel, the file or FILE:LINE of a place, or the function, the file or FILE:LINE of a call. */
struct suppression {
    uint64_t kinds;
    char pattern[200];
};

void findings_begin(struct findings *findings, uint64_t wanted);
void findings_free(struct findings *findings);

/* Counts a mistake that is known by its key. Returns whether it is known. */
bool findings_again(struct findings *findings, uint64_t key);

/* Drops the mistake, however often it comes. */
void findings_ignore(struct findings *findings, uint64_t key);

/* Returns how often the mistake was counted; 0: it is not in the list. */
uint64_t findings_times(const struct findings *findings, uint64_t key);

/* Adds a finding, unless it is not wanted or suppressed, and resolves its calls. One with the kind
 * and the source lines of an earlier finding counts as that finding. */
void findings_add(struct findings *findings, const struct finding *found);

/* Removes what follows from others: notes and reads of unwritten shared memory at instructions that
 * an error about a race names. */
void findings_settle(struct findings *findings);

/* Returns the findings that make the exit status 1. */
uint64_t findings_serious(const struct findings *findings);

#endif
