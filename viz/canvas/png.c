/*
 * Writes pixels as PNG: with a palette if there are at most 256 colours, as such files are small.
 */
#include <png.h>
#include <stdlib.h>

#include "base/err.h"
#include "canvas/surface.h"

enum { COLOURS = 256, HASH_SIZE = 1024 };

struct palette {
    uint8_t rgb[COLOURS][3];
    unsigned count;
    uint32_t colour[HASH_SIZE]; /* hash table; 0: free, as pixels are opaque */
    uint8_t index[HASH_SIZE];
};

static void store_rgb(uint8_t rgb[3], uint32_t colour)
{
    for (int part = 0; part < 3; part++)
        rgb[part] = (uint8_t)(colour >> (16 - 8 * part));
}

/*
 * Finds the palette index of a colour and adds new colours. Returns false if the palette is full.
 */
static bool find_index(struct palette *palette, uint32_t colour, uint8_t *index)
{
    uint32_t at = (colour * 2654435761U) >> 22; /* 10 bits */
    while (palette->colour[at] && palette->colour[at] != colour)
        at = (at + 1) % HASH_SIZE;
    if (!palette->colour[at]) {
        if (palette->count == COLOURS)
            return false;
        store_rgb(palette->rgb[palette->count], colour);
        palette->colour[at] = colour;
        palette->index[at] = (uint8_t)palette->count++;
    }
    *index = palette->index[at];
    return true;
}

/* Writes the palette index of each pixel. Returns false if there are too many colours. */
static bool to_indices(const uint32_t *pixels, size_t count, struct palette *palette,
                       uint8_t *indices)
{
    *palette = (struct palette){.count = 0};
    for (size_t i = 0; i < count; i++)
        if (!find_index(palette, pixels[i] | 0xFF000000U, &indices[i]))
            return false;
    return true;
}

enum simsm_status canvas_write_png(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error)
{
    size_t count = (size_t)canvas->w * (size_t)canvas->h;
    uint8_t *bytes = malloc(count * 3);
    struct palette palette;
    if (!bytes || !canvas->pixels) {
        free(bytes);
        return err_no_memory(error);
    }
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)canvas->w,
        .height = (png_uint_32)canvas->h,
        .format = PNG_FORMAT_RGB,
    };
    if (to_indices(canvas->pixels, count, &palette, bytes)) {
        image.format = PNG_FORMAT_RGB_COLORMAP;
        image.colormap_entries = palette.count;
    } else {
        for (size_t i = 0; i < count; i++)
            store_rgb(bytes + 3 * i, canvas->pixels[i]);
    }
    int ok = png_image_write_to_stdio(&image, file, 0, bytes, 0, palette.rgb);
    free(bytes);
    return ok ? SIMSM_OK
              : err_set(error, SIMSM_FAILED, "the PNG could not be written: %s", image.message);
}
