/* A launch before its first cycle: checks, occupancy, descriptions of its lines. */
#include "api/subject.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

/* Control bits can only be used if all instructions have them. */
static enum simsm_status check_control_bits(const struct front *front,
                                            const struct simsm_config *config,
                                            struct simsm_error *error)
{
    if (config->sm_dependence != SIMSM_CONTROL_BITS_dependence)
        return SIMSM_OK;
    for (uint32_t i = 0; i < front->code_size; i++) {
        if (!front->code[i].control.present)
            return err_at(error, SIMSM_BAD_INPUT, front->path, front->code[i].line, 0,
                          "sm.dependence is control_bits, but this instruction has none: %s; give "
                          "all instructions control bits or choose auto or scoreboard",
                          front->text[i]);
    }
    return SIMSM_OK;
}

static enum simsm_status describe_lines(struct subject *subject, struct simsm_error *error)
{
    const struct front *front = subject->front;
    subject->line_info = calloc(front->code_size, sizeof *subject->line_info);
    if (!subject->line_info)
        return err_no_memory(error);
    for (uint32_t i = 0; i < front->code_size; i++)
        subject->line_info[i] = (struct simsm_line_info){
            .text = front->text[i],
            .line = front->code[i].line,
            .pc = front->code[i].pc,
            .op = (enum simsm_op_class)front->code[i].op,
            .file = front->source ? front->source[i] : NULL,
        };
    return SIMSM_OK;
}

enum simsm_status subject_prepare(struct subject *subject, const struct simsm_config *config,
                                  struct simsm_error *error)
{
    struct front *front = subject->front;
    enum simsm_status status = check_control_bits(front, config, error);
    if (status == SIMSM_OK) {
        status = simsm_occupancy(config, &front->launch, &subject->occupancy, error);
        if (status != SIMSM_OK && error && !error->file[0])
            (void)snprintf(error->file, sizeof error->file, "%s", front->path);
    }
    if (status == SIMSM_OK)
        status = describe_lines(subject, error);
    if (status == SIMSM_OK)
        status = front_begin_timed(front, error);
    return status;
}

void subject_free(struct subject *subject)
{
    front_close(subject->front);
    free(subject->line_info);
    *subject = (struct subject){0};
}
