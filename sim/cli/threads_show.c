#include "cli/threads_show.h"

#include <string.h>

#include "simsm/names.h"

enum { LINE = 64, COLOURS = 8, MARGIN = 24, CELL = 18, LANE_WIDTH = 36, STEP_HEIGHT = 64 };

/* Digits for the up to 32 warps of a block. */
static const char warp_digits[] = "0123456789abcdefghijklmnopqrstuv";

/* Colours that colour-blind readers can tell apart (Okabe and Ito), as SVG and of 256 colours. */
static const struct {
    const char *svg;
    int terminal;
} colours[COLOURS] = {{"#56b4e9", 74},  {"#e69f00", 178}, {"#009e73", 36},  {"#f0e442", 227},
                      {"#cc79a7", 175}, {"#b39ddb", 140}, {"#d55e00", 166}, {"#bbbbbb", 250}};

static uint32_t total(const struct threads_picture *picture)
{
    return picture->shape[0] * picture->shape[1] * picture->shape[2];
}

/* Writes what the picture shows, in one line, without a line end. */
static void describe_block(FILE *file, const struct threads_picture *picture)
{
    const uint32_t *n = picture->shape;
    uint32_t threads = total(picture), warps = (threads + SIMSM_WARP_LANES - 1) / SIMSM_WARP_LANES;
    uint32_t last = threads - (warps - 1) * SIMSM_WARP_LANES;
    (void)fprintf(file, "block of %u x %u x %u: %u thread%s in %u warp%s", n[0], n[1], n[2],
                  threads, threads == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
    if (last < SIMSM_WARP_LANES)
        (void)fprintf(file, "; the last has %u of %u lanes", last, SIMSM_WARP_LANES);
}

static void text_row(FILE *file, const struct threads_picture *picture, uint32_t first)
{
    const uint32_t x = picture->shape[0];
    for (uint32_t i = 0; i < x; i++) {
        uint32_t warp = (first + i) / SIMSM_WARP_LANES;
        if (i && i % LINE == 0)
            (void)fprintf(file, "\n      ");
        if (picture->colour)
            (void)fprintf(file, "\033[30;48;5;%dm%c\033[0m", colours[warp % COLOURS].terminal,
                          warp_digits[warp]);
        else
            (void)fputc(warp_digits[warp], file);
    }
    (void)fputc('\n', file);
}

static void text_block(FILE *file, const struct threads_picture *picture)
{
    const uint32_t *n = picture->shape;
    describe_block(file, picture);
    (void)fprintf(file, "\nA digit is the warp of a thread (a = 10, b = 11 ...); x runs to the "
                        "right, y down.\n");
    for (uint32_t z = 0; z < n[2]; z++) {
        (void)fprintf(file, n[2] > 1 ? "\nz %u\n" : "\n", z);
        for (uint32_t y = 0; y < n[1]; y++) {
            (void)fprintf(file, "y%4u ", y);
            text_row(file, picture, n[0] * (y + n[1] * z));
        }
    }
}

/* Returns the lane that `lane` takes from in a step of this distance; `lane` itself if there is no
 * such lane. */
static uint32_t giver(const struct threads_picture *picture, uint32_t lane, uint32_t distance)
{
    uint32_t lanes = total(picture);
    if (strcmp(picture->shuffle, "xor") == 0)
        return lane ^ distance;
    if (strcmp(picture->shuffle, "up") == 0)
        return lane >= distance ? lane - distance : lane;
    return lane + distance < lanes ? lane + distance : lane;
}

/* Fills complete[lane] with whether the lane's sum has every lane exactly once after all steps. A
 * lane without a giver adds its own value a second time. */
static void complete_lanes(const struct threads_picture *picture, bool complete[SIMSM_WARP_LANES])
{
    uint32_t lanes = total(picture);
    uint32_t count[SIMSM_WARP_LANES][SIMSM_WARP_LANES] = {{0}}, next[SIMSM_WARP_LANES];
    for (uint32_t i = 0; i < lanes; i++)
        count[i][i] = 1;
    for (uint32_t d = lanes / 2; d; d /= 2)
        for (uint32_t of = 0; of < lanes; of++) {
            for (uint32_t i = 0; i < lanes; i++)
                next[i] = count[i][of] + count[giver(picture, i, d)][of];
            for (uint32_t i = 0; i < lanes; i++)
                count[i][of] = next[i];
        }
    for (uint32_t i = 0; i < lanes; i++) {
        complete[i] = true;
        for (uint32_t of = 0; of < lanes; of++)
            complete[i] = complete[i] && count[i][of] == 1;
    }
}

static void text_shuffle(FILE *file, const struct threads_picture *picture)
{
    bool complete[SIMSM_WARP_LANES];
    uint32_t lanes = total(picture), good = 0;
    (void)fprintf(file, "sum of %u lanes by __shfl_%s_sync: the lane that each lane takes from\n\n",
                  lanes, picture->shuffle);
    (void)fprintf(file, "step  lane");
    for (uint32_t i = 0; i < lanes; i++)
        (void)fprintf(file, "%3u", i);
    (void)fputc('\n', file);
    for (uint32_t d = lanes / 2; d; d /= 2) {
        (void)fprintf(file, "%4u  from", d);
        for (uint32_t i = 0; i < lanes; i++) {
            uint32_t from = giver(picture, i, d);
            if (from == i)
                (void)fprintf(file, "  .");
            else
                (void)fprintf(file, "%3u", from);
        }
        (void)fputc('\n', file);
    }
    complete_lanes(picture, complete);
    for (uint32_t i = 0; i < lanes; i++)
        good += complete[i];
    (void)fprintf(file, "\n.: no such lane, the shuffle returns the lane's own value. ");
    if (good == lanes)
        (void)fprintf(file, "All lanes have the sum at the end.\n");
    for (uint32_t i = 0; good == 1 && i < lanes; i++)
        if (complete[i])
            (void)fprintf(file, "Lane %u alone has the sum at the end.\n", i);
}

void threads_show_text(FILE *file, const struct threads_picture *picture)
{
    if (picture->shuffle)
        text_shuffle(file, picture);
    else
        text_block(file, picture);
}

static void begin_svg(FILE *file, uint32_t width, uint32_t height)
{
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                  "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"11\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                  width, height, width, height);
}

static void svg_block(FILE *file, const struct threads_picture *picture)
{
    const uint32_t *n = picture->shape, slice = n[1] * CELL + MARGIN, line = n[0];
    uint32_t width = line * CELL + 2 * MARGIN;
    begin_svg(file, width < 480 ? 480 : width, n[2] * slice + 2 * MARGIN);
    (void)fprintf(file, "<text x=\"%d\" y=\"16\">", MARGIN);
    describe_block(file, picture);
    (void)fprintf(file, "</text>\n");
    for (uint32_t t = 0; t < total(picture); t++) {
        uint32_t x = t % line, y = t / line % n[1], z = t / line / n[1];
        uint32_t warp = t / SIMSM_WARP_LANES;
        uint32_t left = MARGIN + x * CELL, top = MARGIN + z * slice + y * CELL;
        (void)fprintf(file,
                      "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\"/><text "
                      "x=\"%u\" y=\"%u\" text-anchor=\"middle\" font-size=\"9\">%u</text>\n",
                      left, top, CELL - 1, CELL - 1, colours[warp % COLOURS].svg, left + CELL / 2,
                      top + CELL / 2 + 3, warp);
        if (x == 0 && y == 0 && n[2] > 1)
            (void)fprintf(file, "<text x=\"2\" y=\"%u\">z %u</text>\n", top + CELL, z);
    }
    (void)fprintf(file, "</svg>\n");
}

static void svg_shuffle(FILE *file, const struct threads_picture *picture)
{
    bool complete[SIMSM_WARP_LANES];
    uint32_t lanes = total(picture), row = 0, steps = 0;
    while (lanes >> (steps + 1))
        steps++;
    begin_svg(file, lanes * LANE_WIDTH + 120 < 560 ? 560 : lanes * LANE_WIDTH + 120,
              3 * MARGIN + STEP_HEIGHT * steps);
    complete_lanes(picture, complete);
    for (uint32_t d = lanes; d; d /= 2, row++) { /* the first row: before any step */
        uint32_t y = 2 * MARGIN + row * STEP_HEIGHT;
        if (d < lanes)
            (void)fprintf(file, "<text x=\"8\" y=\"%u\">%s %u</text>\n", y - STEP_HEIGHT / 2,
                          picture->shuffle, d);
        for (uint32_t i = 0; i < lanes; i++) {
            uint32_t x = 90 + i * LANE_WIDTH, from = d < lanes ? giver(picture, i, d) : i;
            if (from != i)
                (void)fprintf(file,
                              "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"#0072b2\"/>"
                              "\n",
                              90 + from * LANE_WIDTH, y - STEP_HEIGHT + 11, x, y - 11);
            if (d < lanes)
                (void)fprintf(
                    file, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"#bbbbbb\"/>\n", x,
                    y - STEP_HEIGHT + 11, x, y - 11);
            (void)fprintf(file,
                          "<circle cx=\"%u\" cy=\"%u\" r=\"11\" fill=\"%s\"/><text x=\"%u\" "
                          "y=\"%u\" text-anchor=\"middle\">%u</text>\n",
                          x, y, d == 1 && complete[i] ? colours[1].svg : colours[0].svg, x, y + 4,
                          i);
        }
    }
    (void)fprintf(file,
                  "<text x=\"%d\" y=\"16\">sum of %u lanes by shuffles (%s): blue lines give, "
                  "orange lanes have the sum</text>\n</svg>\n",
                  MARGIN, lanes, picture->shuffle);
}

void threads_show_svg(FILE *file, const struct threads_picture *picture)
{
    if (picture->shuffle)
        svg_shuffle(file, picture);
    else
        svg_block(file, picture);
}
