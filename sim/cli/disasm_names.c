/* The error of `simsm disasm --kernel NAME` for a kernel that the file does not have. */
#include "cli/disasm_names.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sass/sass_inst.h"
#include "trace/nearest.h"

enum { LISTED_BYTES = 700, MANY_KERNELS = 12 };

struct kernel_names {
    struct nearest_name nearest;
    char near[512], list[LISTED_BYTES]; /* the nearest name; the names that contain the word */
    uint32_t listed, all;
};

/* Counts a kernel and compares its name with `word`. Copies the nearest name to `near`, because the
 * module is closed before the error is made. */
static void offer_name(struct kernel_names *names, const char *word, const char *mangled)
{
    char plain[512];
    const char *best = names->nearest.best;
    size_t used = strlen(names->list);
    sass_plain_name(mangled, plain, sizeof plain);
    names->all++;
    nearest_offer(&names->nearest, plain);
    if (names->nearest.best != best) {
        (void)snprintf(names->near, sizeof names->near, "%s", plain);
        names->nearest.best = names->near;
    }
    bool holds = strstr(plain, word) != NULL || strstr(mangled, word) != NULL;
    if (!holds || names->listed >= MANY_KERNELS || strlen(mangled) + used + 3 > LISTED_BYTES)
        return;
    (void)snprintf(names->list + used, sizeof names->list - used, "%s%s", used ? ", " : "",
                   mangled);
    names->listed++;
}

/* Offers all kernels of an image if it is for sm_`sm` (0: any). */
static void offer_image(struct kernel_names *names, struct sass_image *image, uint32_t sm,
                        const char *word)
{
    struct simsm_error error;
    struct sass_module *module = NULL;
    bool readable =
        image->kind == SASS_IMAGE_CUBIN && sass_knows_sm(image->sm) && (!sm || image->sm == sm);
    if (readable && sass_image_load(image, "", &error) == SIMSM_OK && !image->empty)
        (void)sass_module_inspect(&module, image->data, image->size, "", &error);
    for (uint32_t i = 0; module && i < module->kernels; i++)
        offer_name(names, word, module->kernel[i].name);
    sass_module_close(module);
    sass_image_unload(image);
}

enum simsm_status disasm_no_kernel(const struct sass_file *file, const char *path,
                                   const char *kernel, uint32_t sm, struct simsm_error *error)
{
    struct kernel_names found = {.listed = 0}, few = {.listed = 0};
    nearest_start(&found.nearest, kernel);
    nearest_start(&few.nearest, kernel);
    for (uint32_t i = 0; i < file->images; i++)
        offer_image(&found, &file->image[i], sm, kernel);
    for (uint32_t i = 0; i < file->images && found.all <= MANY_KERNELS && !found.listed; i++)
        offer_image(&few, &file->image[i], sm, "");
    const struct kernel_names *names = found.listed ? &found : &few;
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                  "has no kernel '%.200s' among its %u%s%s%s%s%s", kernel, found.all,
                  found.nearest.best ? "; did you mean '" : "",
                  found.nearest.best ? found.near : "", found.nearest.best ? "'" : "",
                  names->listed ? (found.listed ? "; names that hold it: " : "; it has ")
                                : "; see their names with: simsm disasm FILE | grep ^kernel",
                  names->list);
}
