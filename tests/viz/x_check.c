/*
 * A window as a stranger sees it, in an X server:
 *
 *     x_check PICTURE.png KEYS    types KEYS into a window of its size, waits until it
 *                                 shows these pixels, then types "q"
 *
 * Status 0: it showed them. 1: it did not within some seconds. 2: no server, no picture.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 200, PAUSE_MS = 50 };

struct picture {
    png_image head;
    uint8_t *rgb;
};

static bool read_picture(struct picture *picture, const char *path)
{
    picture->head = (png_image){.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&picture->head, path))
        return false;
    picture->head.format = PNG_FORMAT_RGB;
    picture->rgb = malloc(PNG_IMAGE_SIZE(picture->head));
    return picture->rgb && png_image_finish_read(&picture->head, NULL, picture->rgb, 0, NULL);
}

/* The mapped window of the picture's size; 0 if there is none. */
static Window find_window(Display *display, const struct picture *picture)
{
    Window root = DefaultRootWindow(display), parent, found = 0, *children = NULL;
    unsigned count = 0;
    if (!XQueryTree(display, root, &root, &parent, &children, &count))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        XWindowAttributes a;
        if (XGetWindowAttributes(display, children[i], &a) && a.map_state == IsViewable &&
            a.width == (int)picture->head.width && a.height == (int)picture->head.height)
            found = children[i];
    }
    XFree(children);
    return found;
}

static uint8_t part(unsigned long pixel, unsigned long mask)
{
    while (mask && !(mask & 1)) {
        mask >>= 1;
        pixel >>= 1;
    }
    return (uint8_t)(pixel & mask);
}

/* Pixels that differ; -1 if the window has no contents. */
static long difference(Display *display, Window window, const struct picture *picture)
{
    XImage *image = XGetImage(display, window, 0, 0, picture->head.width, picture->head.height,
                              AllPlanes, ZPixmap);
    if (!image)
        return -1;
    long differ = 0;
    const uint8_t *expected = picture->rgb;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, expected += 3) {
            unsigned long pixel = XGetPixel(image, x, y);
            differ += part(pixel, image->red_mask) != expected[0] ||
                      part(pixel, image->green_mask) != expected[1] ||
                      part(pixel, image->blue_mask) != expected[2];
        }
    XDestroyImage(image);
    return differ;
}

/* The key q may have closed the window before its release is sent. */
static int window_is_gone(Display *display, XErrorEvent *error)
{
    (void)display;
    (void)error;
    return 0;
}

static void type(Display *display, Window window, char letter)
{
    const char name[2] = {letter, 0};
    XKeyEvent event = {.type = KeyPress,
                       .display = display,
                       .window = window,
                       .root = DefaultRootWindow(display),
                       .same_screen = True,
                       .keycode = XKeysymToKeycode(display, XStringToKeysym(name))};
    (void)XSendEvent(display, window, True, KeyPressMask, (XEvent *)&event);
    event.type = KeyRelease;
    XSync(display, False);
    XErrorHandler before = XSetErrorHandler(window_is_gone);
    (void)XSendEvent(display, window, True, KeyReleaseMask, (XEvent *)&event);
    XSync(display, False);
    (void)XSetErrorHandler(before);
}

static void wait_a_moment(void)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    (void)nanosleep(&pause, NULL);
}

static int check(Display *display, const struct picture *picture, const char *letters)
{
    Window window = 0;
    long differ = -1;
    for (int i = 0; i < TRIES && !window; i++, wait_a_moment())
        window = find_window(display, picture);
    if (!window) {
        (void)fprintf(stderr, "there is no window of %ux%u pixels\n", (unsigned)picture->head.width,
                      (unsigned)picture->head.height);
        return 1;
    }
    XWarpPointer(display, None, DefaultRootWindow(display), 0, 0, 0, 0, 0, 0); /* not over it */
    XSetInputFocus(display, window, RevertToParent, CurrentTime);
    for (; *letters; letters++)
        type(display, window, *letters);
    for (int i = 0; i < TRIES && differ != 0; i++, wait_a_moment())
        differ = difference(display, window, picture);
    if (differ)
        (void)fprintf(stderr, "%ld pixels of the window differ from the picture\n", differ);
    type(display, window, 'q');
    return differ != 0;
}

/* Windows come and go between two requests: the next look finds another, or none. */
static int no_matter(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    return 0;
}

int main(int argc, char **argv)
{
    struct picture picture;
    Display *display = XOpenDisplay(NULL);
    if (argc != 3 || !display || !read_picture(&picture, argv[1])) {
        (void)fprintf(stderr, "no X server, or no picture\n");
        return 2;
    }
    (void)XSetErrorHandler(no_matter);
    int status = check(display, &picture, argv[2]);
    XCloseDisplay(display);
    free(picture.rgb);
    return status;
}
