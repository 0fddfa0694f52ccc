/* A small table of texts, shown in columns or as Markdown. */
#include "diff/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 72 }; /* columns of the terminal for one cell, but for the last */

void sheet_add(struct sheet *sheet, const char *const *cell)
{
    sheet->cell.size = sizeof(char *);
    for (unsigned i = 0; i < sheet->columns; i++) {
        char *copy = strdup(cell[i]);
        if (!copy || !pool_add(&sheet->cell, &copy)) {
            free(copy);
            sheet->failed = true;
        }
    }
}

static const char *cell_of(const struct sheet *sheet, size_t row, unsigned column)
{
    return ((char **)sheet->cell.data)[row * sheet->columns + column];
}

/* Returns the columns of the terminal that a UTF-8 text takes. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* Returns the bytes of a UTF-8 text's first `width` characters. */
static size_t bytes_of(const char *text, size_t width)
{
    size_t bytes = 0;
    for (; text[bytes] && (width || ((unsigned char)text[bytes] & 0xC0) == 0x80); bytes++)
        width -= ((unsigned char)text[bytes] & 0xC0) != 0x80;
    return bytes;
}

static bool is_left(const struct sheet *sheet, unsigned column)
{
    return column < sheet->texts || (sheet->text_last && column + 1 == sheet->columns);
}

static void put(const struct sheet *sheet, FILE *file, unsigned column, const char *text,
                size_t width)
{
    const size_t has = width_of(text);
    const bool last = column + 1 == sheet->columns;
    const bool cut = has > width && !last;
    const size_t blanks = has < width ? width - has : 0;
    if (!is_left(sheet, column))
        (void)fprintf(file, "%*s", (int)blanks, "");
    (void)fwrite(text, 1, cut ? bytes_of(text, width - 3) : strlen(text), file);
    if (cut)
        (void)fputs("...", file);
    if (is_left(sheet, column) && !last)
        (void)fprintf(file, "%*s", (int)blanks, "");
    (void)fputs(last ? "\n" : "  ", file);
}

static void write_columns(const struct sheet *sheet, FILE *file, size_t rows)
{
    size_t width[SHEET_COLUMNS];
    for (unsigned c = 0; c < sheet->columns; c++) {
        width[c] = width_of(sheet->heading[c]);
        for (size_t r = 0; r < rows; r++) {
            const size_t has = width_of(cell_of(sheet, r, c));
            width[c] = has > width[c] ? has : width[c];
        }
        width[c] = width[c] > WIDEST ? WIDEST : width[c];
    }
    (void)fprintf(file, "%s\n", sheet->title);
    for (unsigned c = 0; c < sheet->columns; c++) {
        (void)fputs(c ? "" : "  ", file);
        put(sheet, file, c, sheet->heading[c], width[c]);
    }
    for (size_t r = 0; r < rows; r++)
        for (unsigned c = 0; c < sheet->columns; c++) {
            (void)fputs(c ? "" : "  ", file);
            put(sheet, file, c, cell_of(sheet, r, c), width[c]);
        }
    (void)fputc('\n', file);
}

/* Writes a cell of a Markdown table: '|' would end the cell, '<' would begin HTML. */
static void write_cell(FILE *file, const char *text)
{
    (void)fputc(' ', file);
    for (; *text; text++) {
        if (strchr("|<>*_`\\[]", *text))
            (void)fputc('\\', file);
        (void)fputc(*text, file);
    }
    (void)fputs(" |", file);
}

static void write_markdown(const struct sheet *sheet, FILE *file, size_t rows)
{
    (void)fprintf(file, "**%s**\n\n|", sheet->title);
    for (unsigned c = 0; c < sheet->columns; c++)
        write_cell(file, sheet->heading[c]);
    (void)fputs("\n|", file);
    for (unsigned c = 0; c < sheet->columns; c++)
        (void)fputs(is_left(sheet, c) ? "---|" : "--:|", file);
    (void)fputc('\n', file);
    for (size_t r = 0; r < rows; r++) {
        (void)fputc('|', file);
        for (unsigned c = 0; c < sheet->columns; c++)
            write_cell(file, cell_of(sheet, r, c));
        (void)fputc('\n', file);
    }
    (void)fputc('\n', file);
}

bool sheet_write(struct sheet *sheet, FILE *file, bool markdown)
{
    const bool good = !sheet->failed;
    const size_t rows = sheet->cell.count / sheet->columns;
    if (good && rows)
        (markdown ? write_markdown : write_columns)(sheet, file, rows);
    for (size_t i = 0; i < sheet->cell.count; i++)
        free(((char **)sheet->cell.data)[i]);
    pool_free(&sheet->cell);
    sheet->cell = (struct pool){0};
    return good;
}
