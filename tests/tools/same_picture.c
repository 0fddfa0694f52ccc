/*
 * same_picture A.png B.png: whether both show the same, whatever their files look like. Versions of
 * FreeType draw the edges of letters a little differently, so not pixels but squares of pixels are
 * compared: their mean colours must be nearly the same.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

struct picture {
    png_image image;
    unsigned char *pixels; /* red, green, blue */
};

static int picture_read(struct picture *picture, const char *path)
{
    *picture = (struct picture){.image.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&picture->image, path))
        return 0;
    picture->image.format = PNG_FORMAT_RGB;
    picture->pixels = malloc(PNG_IMAGE_SIZE(picture->image));
    return picture->pixels &&
           png_image_finish_read(&picture->image, NULL, picture->pixels, 0, NULL);
}

enum { SQUARE = 8 /* pixels of a side */, MOST_CHANGE = 12 /* of 255, of a mean colour */ };

/* Returns whether the mean colours of the squares at (x, y) differ. */
static int square_differs(const struct picture *a, const struct picture *b, unsigned x, unsigned y)
{
    long change[3] = {0, 0, 0};
    long count = 0;
    for (unsigned row = y; row < y + SQUARE && row < a->image.height; row++)
        for (unsigned column = x; column < x + SQUARE && column < a->image.width; column++) {
            const size_t at = 3 * ((size_t)row * a->image.width + column);
            for (int i = 0; i < 3; i++)
                change[i] += a->pixels[at + (size_t)i] - b->pixels[at + (size_t)i];
            count++;
        }
    for (int i = 0; i < 3; i++)
        if (labs(change[i]) > MOST_CHANGE * count)
            return 1;
    return 0;
}

/* Says how much of them differs, and where that begins. */
static int compare(const struct picture *a, const struct picture *b, const char *name)
{
    if (a->image.width != b->image.width || a->image.height != b->image.height) {
        printf("%s: %u x %u pixels, not %u x %u\n", name, (unsigned)a->image.width,
               (unsigned)a->image.height, (unsigned)b->image.width, (unsigned)b->image.height);
        return 1;
    }
    size_t differ = 0;
    unsigned first[2] = {0, 0};
    for (unsigned y = 0; y < a->image.height; y += SQUARE)
        for (unsigned x = 0; x < a->image.width; x += SQUARE)
            if (square_differs(a, b, x, y) && !differ++) {
                first[0] = x;
                first[1] = y;
            }
    if (differ)
        printf("%s: %zu squares of %d pixels differ, the first one at %u, %u\n", name, differ,
               (int)SQUARE, first[0], first[1]);
    return differ != 0;
}

int main(int argc, char **argv)
{
    struct picture pictures[2];
    int status = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: same_picture A.png B.png\n");
        return 2;
    }
    for (int i = 0; i < 2; i++)
        if (!picture_read(&pictures[i], argv[i + 1])) {
            printf("%s: %s\n", argv[i + 1], pictures[i].image.message);
            status = 2;
        }
    if (!status)
        status = compare(&pictures[0], &pictures[1], argv[1]);
    for (int i = 0; i < 2; i++)
        free(pictures[i].pixels);
    return status;
}
