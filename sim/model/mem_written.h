/* Device memory that was written between launches. */
#ifndef SIM_MODEL_MEM_WRITTEN_H
#define SIM_MODEL_MEM_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct mem_written {
    uint64_t address, bytes;
    uint64_t kept; /* the last bytes of these: lines that L2 takes in if it lacks them */
    bool by_host;  /* by a copy of the host; else by a kernel: a fill, a copy within the device */
};

#endif
