#include <simsm/simsm.h>
#include <stdio.h>

int main(int arguments, char **argument)
{
    struct simsm_error error;
    struct simsm_timeline *timeline = NULL;
    struct simsm_timeline_part part = {0};
    char text[1024];
    if (arguments != 2)
        return SIMSM_BAD_INPUT;
    enum simsm_status status = simsm_timeline_open(&timeline, argument[1], &error);
    if (status == SIMSM_OK) {
        const struct simsm_timeline_info *info = simsm_timeline_info(timeline);
        status = simsm_timeline_read(timeline, info->sm[0], 0, UINT64_MAX, &part, &error);
        if (status == SIMSM_OK)
            printf("%s: %zu instructions in %llu cycles\n", info->launch.name, part.issue_count,
                   (unsigned long long)(part.to - part.from));
    }
    if (status != SIMSM_OK)
        fprintf(stderr, "%s\n", simsm_error_text(&error, text, sizeof text));
    simsm_timeline_part_free(&part);
    simsm_timeline_close(timeline);
    return (int)status;
}
