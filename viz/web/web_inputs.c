/* The kinds of input files that the page simulates. */
#include "input/input_kinds.h"
#include "record/recording_front.h"
#include "record/recording_read.h"
#include "trace/trace.h"

const struct input_kind input_kinds[] = {
    {record_file_probe, recording_open},
    {NULL, trace_open},
};
