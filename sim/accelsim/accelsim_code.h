/*
 * The static instructions of a kernel, collected from the dynamic instructions of its trace.
 *
 * A trace has no listing of the code: an instruction is known once it has run. Its offset counts
 * from the start of its function, so instructions of different functions may have the same offset.
 * Such instructions get a layer of addresses of their own.
 */
#ifndef SIM_ACCELSIM_ACCELSIM_CODE_H
#define SIM_ACCELSIM_ACCELSIM_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accelsim/operands.h"
#include "model/inst.h"

#define CODE_NONE UINT32_MAX /* no entry */

enum {
    CODE_MAX_PC = 1 << 24, /* offsets are below this */
    CODE_MAX_LAYERS = 64,
};

enum code_space { CODE_SPACE_ANY, CODE_GLOBAL, CODE_SHARED, CODE_LOCAL };

struct code_entry {
    struct inst inst;
    char *key;           /* the text that identifies the instruction in the trace's lines */
    uint32_t key_length; /* length of `key` */
    uint32_t offset;     /* offset in its function; inst.pc is the address in the simulation */
    uint32_t layer;
    uint32_t next;  /* next entry with the same offset / 8, or CODE_NONE */
    uint32_t index; /* index in the finished code */
    uint64_t count; /* how often the instruction has run */
    uint8_t space;  /* enum code_space: the memory that a generic access means */
    bool generic;   /* only the addresses tell which memory is accessed */
    bool addressed; /* its lines have addresses */
    bool known;     /* the opcode is known */
    bool matrix;    /* LDSM, STSM: the lanes' addresses are rows of matrices */
    char name[24];  /* opcode without suffixes */
    char *text;     /* line of the listing */
};

struct accelsim_code {
    struct code_entry *entry;
    uint32_t count, room;
    uint32_t *first; /* [first_room] by offset / 8: the first entry, or CODE_NONE */
    uint32_t first_room;
    uint32_t binary; /* compute capability x 10 of the program */
    bool needs_exit; /* the finished code gets an EXIT that the trace lacks */
    /* filled by code_finish(): */
    struct inst *inst;
    const char **text;
    uint32_t size;
    uint32_t exit; /* index of the added EXIT, or CODE_NONE */
};

void code_free(struct accelsim_code *code);

/*
 * Returns the entry at `offset` (below CODE_MAX_PC) whose key stands at `at`, up to a blank or the
 * end of the text, or CODE_NONE. *end: the end of the key.
 */
uint32_t code_find(const struct accelsim_code *code, uint32_t offset, const char *at,
                   const char **end);

/*
 * Returns `entry`, or the entry with the same key and offset, whose addresses lie in `space`;
 * CODE_NONE if there is none.
 */
uint32_t code_in_space(const struct accelsim_code *code, uint32_t entry, enum code_space space);

enum code_added { CODE_ADDED, CODE_NO_MEMORY, CODE_NO_ROOM };

/*
 * Adds a copy of *entry. `before` is the entry that the warp ran before, or CODE_NONE: an
 * instruction that follows `before` in memory gets its layer. Returns CODE_NO_ROOM if
 * CODE_MAX_LAYERS entries have this offset.
 */
enum code_added code_add(struct accelsim_code *code, const struct code_entry *entry,
                         uint32_t before, uint32_t *added);

/* Returns whether an instruction at offset `b` follows an instruction at offset `a` in memory. */
bool code_follows(const struct accelsim_code *code, uint32_t a, uint32_t b);

/*
 * Lays out the instructions: fills in index, inst.pc, inst, text, size and exit. A gap (code that
 * never ran) gets one NOP, so that a jump over it is a jump. Returns false if memory runs out.
 */
bool code_finish(struct accelsim_code *code);

#endif
