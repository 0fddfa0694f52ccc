/*
 * A terminal as a stranger sees it: takes the bytes of a program and knows what stands where. Only
 * the sequences that a terminal of today must know; any other one is remembered as a fault.
 */
#ifndef TESTS_VIZ_VT_H
#define TESTS_VIZ_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VT_MOST = 200, VT_ROOM = 64 };

struct vt {
    int w, h;
    uint32_t sign[VT_MOST][VT_MOST]; /* code points by row and column; 0: never written */
    uint32_t look[VT_MOST][VT_MOST]; /* of them: a hash of colours and style */
    uint32_t now;                    /* that of what comes next */
    int x, y;
    bool other_screen, cursor, wrap, mouse; /* as private modes say */
    bool coloured;                          /* any colour was asked for since vt_init */
    char fault[128];                        /* first thing that it does not know; "" */
    char bytes[VT_ROOM];                    /* of a sequence that is not whole */
    size_t used;
};

void vt_init(struct vt *vt, int w, int h);
void vt_take(struct vt *vt, const char *bytes, size_t count);

/* A hash of the looks of all cells. */
uint32_t vt_looks(const struct vt *vt);

/* A line without its trailing blanks, UTF-8; `text` of VT_MOST * 4 + 1 bytes. */
const char *vt_line(const struct vt *vt, int y, char *text);

#endif
