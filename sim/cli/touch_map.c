#include "cli/touch_map.h"

#include "simsm/names.h"

/* A line of global memory has as many words as shared memory has banks. */
enum { COLUMNS = 32, SECTOR = 8 /* words */, MOST_ROWS = TOUCH_LARGEST_STRIDE, ROWS_SHOWN = 8 };

/* Pixels of the SVG picture. */
enum {
    LEFT = 56,
    CELL = 25,
    ROW = 22,
    TOP = 30,
    HEAD = 50,
    GAP = 14,
    WIDTH = LEFT + COLUMNS * CELL + 24
};

/* The words that lanes touch with one stride. */
struct grid {
    int lane[MOST_ROWS][COLUMNS]; /* -1: no lane touches this word */
    uint32_t rows;
    uint32_t touched; /* rows that some lane touches: lines, or passes */
    uint32_t sectors; /* that some lane touches; or banks */
};

static bool sector_touched(const struct grid *grid, uint32_t row, uint32_t column)
{
    const int *first = &grid->lane[row][column / SECTOR * SECTOR];
    for (uint32_t i = 0; i < SECTOR; i++)
        if (first[i] >= 0)
            return true;
    return false;
}

static void fill(const struct touch_map *map, uint32_t stride, struct grid *grid)
{
    *grid = (struct grid){0};
    for (uint32_t row = 0; row < MOST_ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++)
            grid->lane[row][column] = -1;
    for (uint32_t lane = 0; lane < map->lanes; lane++) {
        const uint32_t word = lane * stride, column = word % COLUMNS;
        uint32_t row = map->banks ? 0 : word / COLUMNS;
        while (grid->lane[row][column] >= 0) /* the bank gives another word in each pass */
            row++;
        grid->lane[row][column] = (int)lane;
        if (row >= grid->rows)
            grid->rows = row + 1;
    }
    for (uint32_t row = 0; row < grid->rows; row++) {
        const uint32_t before = grid->sectors;
        for (uint32_t column = 0; column < COLUMNS; column++)
            if (map->banks)
                grid->sectors += row == 0 && grid->lane[row][column] >= 0;
            else
                grid->sectors += column % SECTOR == 0 && sector_touched(grid, row, column);
        grid->touched += map->banks || grid->sectors > before;
    }
}

/* Writes what the map of a stride shows, in one line, without a line end. */
static void describe(FILE *file, const struct touch_map *map, uint32_t stride,
                     const struct grid *grid)
{
    const char *s = grid->touched == 1 ? "" : "s";
    (void)fprintf(file, "stride %u: ", stride);
    if (map->banks)
        (void)fprintf(file, "%u pass%s; banks in use: %u of %u", grid->touched, *s ? "es" : "",
                      grid->sectors, COLUMNS);
    else
        (void)fprintf(file, "%u sector%s in %u line%s; %.4g %% of the bytes that move are used",
                      grid->sectors, grid->sectors == 1 ? "" : "s", grid->touched, s,
                      100.0 * map->lanes / (grid->sectors * SECTOR));
}

static uint32_t rows_shown(const struct grid *grid)
{
    return grid->rows > ROWS_SHOWN ? ROWS_SHOWN : grid->rows;
}

/* Writes how many rows are left out, without a line end. */
static void describe_rest(FILE *file, const struct touch_map *map, const struct grid *grid)
{
    (void)fprintf(file, "and %u more %s like these", grid->rows - ROWS_SHOWN,
                  map->banks ? "passes" : "lines");
}

static void text_row(FILE *file, const struct touch_map *map, const struct grid *grid, uint32_t row)
{
    (void)fprintf(file, "%s %u ", map->banks ? "pass" : "line", map->banks ? row + 1 : row);
    for (uint32_t column = 0; column < COLUMNS; column++) {
        const int lane = grid->lane[row][column];
        const bool moved = map->banks || sector_touched(grid, row, column);
        if (column % SECTOR == 0)
            (void)fputs(column && !map->banks ? " |" : "", file);
        (void)fprintf(file, " %c",
                      lane < 0 ? (moved ? '.' : ' ')
                               : (char)(lane < 10 ? '0' + lane : 'a' + lane - 10));
    }
    (void)fputc('\n', file);
}

void touch_map_text(FILE *file, const struct touch_map *map)
{
    struct grid grid;
    (void)fprintf(file,
                  "A character is the lane that touches a word (a = 10, b = 11 ...); .: a %s.\n",
                  map->banks ? "bank that no lane wants" : "word that moves with its sector");
    for (uint32_t i = 0; i < map->strides; i++) {
        fill(map, map->stride[i], &grid);
        (void)fputc('\n', file);
        describe(file, map, map->stride[i], &grid);
        (void)fputc('\n', file);
        for (uint32_t row = 0; row < rows_shown(&grid); row++)
            text_row(file, map, &grid, row);
        if (grid.rows > ROWS_SHOWN) {
            describe_rest(file, map, &grid);
            (void)fputc('\n', file);
        }
    }
}

static void svg_row(FILE *file, const struct touch_map *map, const struct grid *grid, uint32_t row,
                    uint32_t top)
{
    (void)fprintf(file, "<text x=\"8\" y=\"%u\">%s %u</text>\n", top + 15,
                  map->banks ? "pass" : "line", map->banks ? row + 1 : row);
    for (uint32_t column = 0; column < COLUMNS; column++) {
        const int lane = grid->lane[row][column];
        const uint32_t left = LEFT + column * CELL;
        const bool moved = !map->banks && sector_touched(grid, row, column);
        (void)fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n",
                      left, top, CELL - 1 - 3 * (!map->banks && column % SECTOR == SECTOR - 1),
                      ROW - 2,
                      lane >= 0 ? "used"
                      : moved   ? "moved"
                                : "idle");
        if (lane >= 0)
            (void)fprintf(file, "<text x=\"%u\" y=\"%u\" class=\"middle\">%d</text>\n",
                          left + CELL / 2, top + 15, lane);
    }
}

/* Writes what the columns are, above a map. */
static void svg_columns(FILE *file, const struct touch_map *map, uint32_t y)
{
    if (map->banks)
        (void)fprintf(file, "<text x=\"8\" y=\"%u\" class=\"head\">bank</text>\n", y);
    for (uint32_t column = 0; column < COLUMNS; column += map->banks ? 1 : SECTOR) {
        const uint32_t left = LEFT + column * CELL;
        if (map->banks)
            (void)fprintf(file, "<text x=\"%u\" y=\"%u\" class=\"head middle\">%u</text>\n",
                          left + CELL / 2, y, column);
        else
            (void)fprintf(file,
                          "<text x=\"%u\" y=\"%u\" class=\"head\">sector of 32 bytes</text>\n",
                          left, y);
    }
}

static void svg_map(FILE *file, const struct touch_map *map, uint32_t stride,
                    const struct grid *grid, uint32_t top)
{
    (void)fprintf(file, "<text x=\"8\" y=\"%u\" class=\"title\">", top + 18);
    describe(file, map, stride, grid);
    (void)fprintf(file, "</text>\n");
    svg_columns(file, map, top + 40);
    for (uint32_t row = 0; row < rows_shown(grid); row++)
        svg_row(file, map, grid, row, top + HEAD + row * ROW);
    if (grid->rows > ROWS_SHOWN) {
        (void)fprintf(file, "<text x=\"%u\" y=\"%u\">", LEFT, top + HEAD + ROWS_SHOWN * ROW + 15);
        describe_rest(file, map, grid);
        (void)fprintf(file, "</text>\n");
    }
}

static uint32_t svg_height(const struct grid *grid)
{
    return HEAD + ROW * (rows_shown(grid) + (grid->rows > ROWS_SHOWN)) + GAP;
}

void touch_map_svg(FILE *file, const struct touch_map *map)
{
    struct grid grid;
    uint32_t top = TOP, height = TOP;
    for (uint32_t i = 0; i < map->strides; i++) {
        fill(map, map->stride[i], &grid);
        height += svg_height(&grid);
    }
    (void)fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 "
        "0 %d %u\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<style>.title{font-size:15px;font-weight:600}.head{fill:#555;font-size:12px}"
        ".middle{text-anchor:middle;font-size:12px}.used{fill:#56b4e9}.moved{fill:#cfe6f5}"
        ".idle{fill:#fff;stroke:#ddd}</style>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
        WIDTH, height, WIDTH, height);
    (void)fprintf(file,
                  "<text x=\"8\" y=\"20\">A number is the lane that touches a word%s.</text>\n",
                  map->banks ? "" : "; pale words move with their sector");
    for (uint32_t i = 0; i < map->strides; i++) {
        fill(map, map->stride[i], &grid);
        svg_map(file, map, map->stride[i], &grid, top);
        top += svg_height(&grid);
    }
    (void)fprintf(file, "</svg>\n");
}
