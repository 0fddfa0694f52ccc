/*
 * The static instructions of a kernel, collected from the dynamic ones of its trace.
 *
 * A trace has no code listing: an instruction is known once it has run. Offsets are those in a
 * function, so that instructions of called functions may have the same; they get a layer of
 * addresses of their own.
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
    CODE_MAX_PC = 1 << 24, /* offsets are below it */
    CODE_MAX_LAYERS = 64,
};

enum code_space { CODE_SPACE_ANY, CODE_GLOBAL, CODE_SHARED, CODE_LOCAL };

struct code_entry {
    struct inst inst;
    char *key;           /* the text that identifies it, as the lines have it */
    uint32_t key_length; /* of `key` */
    uint32_t offset;     /* in its function; inst.pc is the one in the simulation */
    uint32_t layer;
    uint32_t next;  /* entry with the same offset, or CODE_NONE */
    uint32_t index; /* in the finished code */
    uint64_t count; /* how often it has run */
    uint8_t space;  /* enum code_space: where the addresses of a generic access lie */
    bool generic;   /* the space is known from the addresses only */
    bool addressed; /* its lines have addresses */
    bool known;     /* its opcode is */
    bool matrix;    /* LDSM, STSM: lanes give the rows of matrices */
    char name[24];  /* of the opcode, without suffixes */
    char *text;     /* for listings */
};

struct accelsim_code {
    struct code_entry *entry;
    uint32_t count, room;
    uint32_t *first; /* [first_room] by offset / 8: an entry, or CODE_NONE */
    uint32_t first_room;
    uint32_t binary; /* compute capability x 10 of the program */
    bool needs_exit; /* the finished code gets an EXIT that the trace lacks */
    /* once finished: */
    struct inst *inst;
    const char **text;
    uint32_t size;
    uint32_t exit; /* index of that EXIT, or CODE_NONE */
};

void code_begin(struct accelsim_code *code, uint32_t binary);
void code_free(struct accelsim_code *code);

/*
 * The entry at `offset` (below CODE_MAX_PC) whose key stands at `at`, up to a blank or the end;
 * CODE_NONE if there is none. *end is where the key ends.
 */
uint32_t code_find(const struct accelsim_code *code, uint32_t offset, const char *at,
                   const char **end);

/* That entry, or another one with its key and offset, whose addresses lie in `space`; CODE_NONE. */
uint32_t code_in_space(const struct accelsim_code *code, uint32_t entry, enum code_space space);

enum code_added { CODE_ADDED, CODE_NO_MEMORY, CODE_NO_ROOM };

/*
 * Adds an entry. `before` is the one that the warp ran before, or CODE_NONE: what follows it in
 * memory lies in its layer. CODE_NO_ROOM: there are CODE_MAX_LAYERS with this offset.
 */
enum code_added code_add(struct accelsim_code *code, const struct code_entry *entry,
                         uint32_t before, uint32_t *added);

/* Whether an instruction at offset `b` follows one at `a` in memory. */
bool code_follows(const struct accelsim_code *code, uint32_t a, uint32_t b);

/*
 * Puts the instructions in order: index, inst.pc, inst, text, size, exit. Gaps between them, code
 * that never ran, get one NOP, so that jumps over them are seen. False: out of memory.
 */
bool code_finish(struct accelsim_code *code);

#endif
