/* `simsm check`: what the runtime tells the sanitizer of the program, and what it writes at the
 * end. All functions do nothing in a program that is not checked. */
#ifndef SIM_CUDA_CHECKING_H
#define SIM_CUDA_CHECKING_H

#include "cuda/cuda_stream.h"
#include "cuda/memory_locate.h"
#include "cuda/runtime.h"
#include "sanitize/findings.h"
#include "simsm/kernel.h"

struct exec_launch;

/* Creates rt->sanitizer if the settings ask for it. */
enum simsm_status checking_open(struct runtime *rt, struct simsm_error *error);
/* Writes what was found and frees the sanitizer. Sets *found if the exit status has to tell. */
enum simsm_status checking_close(struct runtime *rt, bool *found, struct simsm_error *error);

/* The program enters a call: notes its stack. */
void checking_enter(struct runtime *rt);

/* If the call fails, its finding is of this kind. */
void checking_fails_as(const struct runtime *rt, enum finding_kind kind);
/* What is reported next names this memory. */
void checking_names(const struct runtime *rt, const struct device_allocation *memory);

/* A launch begins in the stream to which work is submitted. `early`: it may begin before the launch
 * in front of it has ended. */
void checking_launch(struct runtime *rt, const struct exec_launch *launch, uint64_t number,
                     bool early);

/* A copy or a fill begins; the sides were located. Gaps between rows count as touched. */
void checking_copy(struct runtime *rt, const struct copy *copy, const struct located_memory *dst,
                   const struct located_memory *src);
void checking_fill(struct runtime *rt, const struct fill *fill, const struct located_memory *dst);
/* A stream has written a single value, or has waited for one: for which work is not known, so that
 * it goes on behind all. */
void checking_memory_op(struct runtime *rt, const struct memory_op *op);
/* A function of the program begins in the stream to which work is submitted. */
void checking_host_function(struct runtime *rt);

/* Memory is allocated or freed in the stream to which work is submitted. */
void checking_memory(struct runtime *rt, uint64_t address, uint64_t size);

/* Streams, events, and the program wait for one another. */
void checking_record(struct runtime *rt, const struct stream *stream, struct event *event);
void checking_wait(struct runtime *rt, const struct stream *stream, const struct event *event);
void checking_stream_waited(struct runtime *rt, const struct stream *stream);
void checking_event_waited(struct runtime *rt, const struct event *event);
void checking_all_waited(struct runtime *rt);
void checking_stream_ends(struct runtime *rt, const struct stream *stream);

/* A node of a graph runs: behind those that it depends on, and beside the others. */
struct graph;
struct graph_node;
void checking_node_begins(struct runtime *rt, struct graph_node *node);
void checking_node_ends(struct runtime *rt, struct graph_node *node);
/* The stream goes on behind all nodes. */
void checking_graph_ends(struct runtime *rt, const struct graph *graph);

/* Call `function` has failed; `why`: what rt_report would have printed, or "". */
void checking_failed_call(struct runtime *rt, const char *function, enum cuda_error error,
                          const char *why);

#endif
