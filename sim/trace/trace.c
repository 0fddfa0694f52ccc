/* Opens a text trace as a front. */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/infile.h"
#include "record/recording_read.h"
#include "trace/emit.h"

static void trace_close(struct front *front)
{
    struct trace_program *program = (struct trace_program *)(void *)front;
    pool_free(&program->steps);
    pool_free(&program->code);
    pool_free(&program->conditions);
    pool_free(&program->accesses);
    pool_free(&program->formulas);
    pool_free(&program->trips);
    pool_free(&program->buffers);
    pool_free(&program->access_of);
    pool_free(&program->text);
    pool_free(&program->lines);
    divergence_rules_close(&program->rules);
    free(program);
}

static const struct front_ops trace_ops = {
    .name = "text trace",
    .close = trace_close,
    .warp_begin = program_begin,
    .warp_next = program_next,
    .addresses = program_addresses,
};

static struct trace_program *new_program(const char *path)
{
    struct trace_program *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    program->front.ops = &trace_ops;
    program->front.cursor_size = (sizeof(struct trace_cursor) + 15) / 16 * 16;
    program->front.launch.carveout = SIMSM_CARVEOUT_DEFAULT;
    (void)snprintf(program->front.path, sizeof program->front.path, "%s", path);
    program->steps.size = sizeof(struct step);
    program->code.size = sizeof(struct inst);
    program->conditions.size = sizeof(struct trace_condition);
    program->accesses.size = sizeof(struct access);
    program->formulas.size = sizeof(struct formula_code);
    program->trips.size = sizeof(struct formula);
    program->buffers.size = sizeof(struct front_buffer);
    program->access_of.size = sizeof(uint32_t);
    program->text.size = 1;
    program->lines.size = sizeof(const char *);
    return program;
}

enum simsm_status trace_open_text(struct front **front, const char *path, const char *text,
                                  size_t size, const struct simsm_config *config,
                                  const char *const *params, struct simsm_error *error)
{
    struct trace_program *program = new_program(path);
    struct parser *parser = calloc(1, sizeof *parser);
    if (!program || !parser) {
        free(program);
        free(parser);
        return err_no_memory(error);
    }
    enum simsm_status status = divergence_rules_open(&program->rules, config, error);
    if (status != SIMSM_OK) {
        free(program);
        free(parser);
        return status;
    }
    (void)snprintf(program->front.paths, sizeof program->front.paths, "%s", program->rules.text);
    parser->program = program;
    parser->config = config;
    parser->params = params;
    parser->seed = config ? config->run_seed : 1;
    parser->nodes.size = sizeof(struct node);
    parser->lines.size = sizeof(struct emit_line);
    lexer_init(&parser->lexer, path, text, size, error);
    parser->token = lexer_next(&parser->lexer);
    (void)(header_parse(parser) && body_parse(parser));
    status = parser->lexer.status;
    pool_free(&parser->nodes);
    pool_free(&parser->lines);
    free(parser);
    if (status != SIMSM_OK) {
        trace_close(&program->front);
        return status;
    }
    program->front.memory = (struct front_memory){.known = true,
                                                  .buffer = program->buffers.data,
                                                  .buffers = (uint32_t)program->buffers.count,
                                                  .local_bytes = program->local_bytes,
                                                  .local_base = program->local_base};
    *front = &program->front;
    return SIMSM_OK;
}

enum simsm_status trace_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error)
{
    char *text;
    size_t size;
    enum simsm_status status = infile_read(path, "trace", TRACE_MAX_BYTES, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    if (record_file_probe((const uint8_t *)text, size)) /* front_open() cannot probe a pipe */
        status = err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                        "is a recording, which cannot be read from a pipe; name its file");
    else
        status = trace_open_text(front, path, text, size, config, params, error);
    free(text);
    return status;
}
