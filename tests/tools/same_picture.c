/* same_picture A.png B.png: whether both have the same pixels, whatever their files look like. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Says how much of them differs, and where that begins. */
static int compare(const struct picture *a, const struct picture *b, const char *name)
{
    if (a->image.width != b->image.width || a->image.height != b->image.height) {
        printf("%s: %u x %u pixels, not %u x %u\n", name, (unsigned)a->image.width,
               (unsigned)a->image.height, (unsigned)b->image.width, (unsigned)b->image.height);
        return 1;
    }
    size_t count = (size_t)a->image.width * a->image.height;
    size_t differ = 0;
    size_t first = 0;
    for (size_t i = count; i-- > 0;)
        if (memcmp(a->pixels + 3 * i, b->pixels + 3 * i, 3) != 0) {
            differ++;
            first = i;
        }
    if (differ)
        printf("%s: %zu pixels differ, the first one at %zu, %zu\n", name, differ,
               first % a->image.width, first / a->image.width);
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
