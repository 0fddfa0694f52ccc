#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "simsm/simsm.h"

const struct command commands[] = {
    {"run", "CONFIG [options] -- PROGRAM ...",
     "a CUDA program on a simulated GPU: its own results, and reports", cmd_run_program},
    {"devices", "", "the GPUs that programs can be run on", cmd_devices},
    {"occupancy", "CONFIG [options]",
     "how many blocks fit into an SM, what limits them, what helps", cmd_occupancy},
    {"sweep", "SPEC.yaml | CONFIG TRACE --vary KEY=A,B,C ...",
     "many simulations on all processors; one trace under several values", cmd_sweep},
    {"results", "FILE [--where KEY=VALUE] ...", "what a sweep has found: lists, tables, pictures",
     cmd_results},
    {"trace", "info|check|dump|convert FILE...",
     "what a trace or recording holds, and whether its warps behave", cmd_trace},
    {"record", "CONFIG INPUT... -o FILE.smtr", "what all warps execute, as a file to simulate",
     cmd_record},
    {"disasm", "FILE [--kernel NAME] [--control] [--sm N]",
     "the GPU machine code in a program or cubin", cmd_disasm},
    {"view", "CONFIG TRACE [options] | FILE.smtl ...",
     "run a trace and look at it in a window; or open a timeline", cmd_view},
    {"tui", "FILE.smtl [OTHER.smtl]", "look at a timeline in this terminal, over SSH too", cmd_tui},
    {"report", "FILE.smtl --html FILE", "a recorded run as a page for a browser", cmd_report},
    {"repeat", "FILE.smtl --timeline NEW.smtl [--set KEY=VALUE]",
     "run again what a timeline shows, with other settings", cmd_repeat},
    {"timeline", "FILE.smtl [--sm N] [--cycles A:B]",
     "a recorded timeline as letters: warp slots by cycle", cmd_timeline},
    {"explain", "FILE.smtl --cycle C --slot SM:SUB:SLOT",
     "why a warp slot was in its state, in sentences", cmd_explain},
    {"config", "list | show CONFIG [SECTION] | keys",
     "configurations, their values with sources, and every key", cmd_config},
    {"calibrate", "CONFIG [--data DIR] [--measure]",
     "fits a configuration to micro-benchmarks on its GPU; measures them", cmd_calibrate},
    {"closure", "CONFIG [--data DIR] [TABLE...]",
     "the same in the simulator, beside what was measured or published", cmd_closure},
    {"compare", "RUN.json... NCU.csv",
     "simulated launches beside what Nsight Compute counted on a GPU", cmd_compare},
    {"policies", "", "the warp schedulers and block dispatchers there are", cmd_policies},
    {"metrics", "", "every counter and metric: name, unit, meaning", cmd_metrics},
    {NULL, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    cli_begin();
    argp_err_exit_status = SIMSM_BAD_INPUT;
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe or a full quota is a failed write, */
    (void)signal(SIGXFSZ, SIG_IGN); /* reported as such */
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        (void)printf("simsm %s\n", SIMSM_VERSION);
        return cli_finish(SIMSM_OK);
    }
    for (const struct command *c = commands; argc > 1 && c->name; c++) {
        if (strcmp(argv[1], c->name) != 0)
            continue;
        char name[32]; /* as usage messages show it */
        (void)snprintf(name, sizeof name, "simsm %s", c->name);
        argv[1] = name;
        return c->run(argc - 1, argv + 1);
    }
    return cmd_run(argc, argv);
}
