/* Pixels as PNG. */
#include <png.h>
#include <stdlib.h>

#include "base/err.h"
#include "canvas/surface.h"

enum simsm_status canvas_write_png(const struct canvas *canvas, FILE *file,
                                   struct simsm_error *error)
{
    size_t count = (size_t)canvas->w * (size_t)canvas->h;
    uint8_t *rgb = malloc(count * 3);
    if (!rgb || !canvas->pixels) {
        free(rgb);
        return err_no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t part = 0; part < 3; part++)
            rgb[3 * i + part] = (uint8_t)(canvas->pixels[i] >> (16 - 8 * part));
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)canvas->w,
        .height = (png_uint_32)canvas->h,
        .format = PNG_FORMAT_RGB,
    };
    int ok = png_image_write_to_stdio(&image, file, 0, rgb, 0, NULL);
    free(rgb);
    return ok ? SIMSM_OK
              : err_set(error, SIMSM_FAILED, "the PNG could not be written: %s", image.message);
}
