/* The kinds of input files that the library reads. */
#include "input/input_kinds.h"

#include "accelsim/accelsim.h"
#include "exec/launch/launch_file.h"
#include "record/recording_front.h"
#include "record/recording_read.h"
#include "trace/trace.h"

const struct input_kind input_kinds[] = {
    {record_file_probe, recording_open},
    {launch_file_probe, launch_file_open},
    {accelsim_probe, accelsim_open},
    {NULL, trace_open}, /* its errors explain best what is wrong with any other file */
};
