#include "canvas/outline.h"
#include "language/language.h"

#include <stdlib.h>
#include <string.h>

static bool disabled;

void outline_disable(void)
{
    disabled = true;
}

#ifdef SIMSM_FREETYPE

#include <ft2build.h>
#include FT_FREETYPE_H

#include "base/check.h"

/* Where distributions install the fonts; the first file that holds a character draws it. */
static const char *const paths[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
};

enum {
    PATHS = sizeof paths / sizeof paths[0],
    FACES = PATHS + 1,
    EM_PARTS = 64, /* FreeType's unit of sizes and distances: parts of a pixel */
    SHADES = 5     /* of an edge; with so few shades most pictures fit into a palette */
};

#define EM_ADVANCE 0.602 /* width of a column, in ems */
#define EM_ASCENT  0.93  /* of capitals with accents above the base line, and of descenders below */
#define EM_DESCENT 0.236

static struct {
    FT_Library library;
    FT_Face face[FACES];
    int count;
    bool opened;
} fonts;

/*
 * Returns which face of a file to use. A collection (.ttc) of Noto has the shapes of Japan first,
 * and those of simplified Chinese at index 2.
 */
static FT_Long face_of(const char *path)
{
    const size_t length = strlen(path);
    const bool collection = length > 4 && strcmp(path + length - 4, ".ttc") == 0;
    return collection && strcmp(language_name(), "zh") == 0 ? 2 : 0;
}

static void open_face(const char *path)
{
    SIMSM_CHECK(fonts.count < FACES, "%d of %d fonts", fonts.count, (int)FACES);
    if (FT_New_Face(fonts.library, path, face_of(path), &fonts.face[fonts.count]) == 0)
        fonts.count++;
}

static void close_fonts(void)
{
    (void)FT_Done_FreeType(fonts.library); /* closes the faces too */
    fonts.count = 0;
}

/* Opens the fonts at the first call. */
static void open_fonts(void)
{
    const char *wanted = getenv("SIMSM_FONT");
    if (fonts.opened)
        return;
    fonts.opened = true;
    if ((wanted && strcmp(wanted, "builtin") == 0) || FT_Init_FreeType(&fonts.library) != 0)
        return;
    (void)atexit(close_fonts);
    if (wanted && wanted[0])
        open_face(wanted);
    for (int i = 0; i < PATHS; i++)
        open_face(paths[i]);
}

/* Copies a glyph into the cell. Parts outside the cell are cut off. */
static void copy(const FT_GlyphSlot glyph, int left, int base, int w, int h, uint8_t *cell)
{
    const FT_Bitmap *bitmap = &glyph->bitmap;
    for (int row = 0; row < (int)bitmap->rows; row++) {
        const int y = base - glyph->bitmap_top + row;
        for (int column = 0; y >= 0 && y < h && column < (int)bitmap->width; column++) {
            const int x = left + glyph->bitmap_left + column;
            const int cover = bitmap->buffer[row * bitmap->pitch + column];
            if (x >= 0 && x < w)
                cell[y * w + x] = (uint8_t)((cover * SHADES + 127) / 255 * (255 / SHADES));
        }
    }
}

bool outline_has_chinese(void)
{
    enum { ZHONG = 0x4e2d }; /* of the word for China */
    open_fonts();
    for (int i = 0; i < fonts.count && !disabled; i++)
        if (FT_Get_Char_Index(fonts.face[i], ZHONG))
            return true;
    return false;
}

bool outline_draw(uint32_t code, int columns, int w, int h, uint8_t *cell)
{
    if (disabled)
        return false;
    open_fonts();
    const double em = w / (columns * EM_ADVANCE);
    const int base = (int)((h - (EM_ASCENT + EM_DESCENT) * em) / 2 + EM_ASCENT * em + 0.5);
    for (int i = 0; i < fonts.count; i++) {
        const FT_Face face = fonts.face[i];
        /* Light hinting moves outlines to whole pixels vertically only: columns keep their width.
         */
        if (!FT_Get_Char_Index(face, code) ||
            FT_Set_Char_Size(face, 0, (FT_F26Dot6)(em * EM_PARTS + 0.5), 0, 0) != 0 ||
            FT_Load_Char(face, code, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0)
            continue;
        const int wide = (int)((face->glyph->advance.x + EM_PARTS / 2) / EM_PARTS);
        copy(face->glyph, columns > 1 ? (w - wide) / 2 : 0, base, w, h, cell);
        return true;
    }
    return false;
}

#else

bool outline_has_chinese(void)
{
    return false;
}

bool outline_draw(uint32_t code, int columns, int w, int h, uint8_t *cell)
{
    (void)code, (void)columns, (void)w, (void)h, (void)cell;
    return false;
}

#endif
