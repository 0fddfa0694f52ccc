// Blocks change a record of four words under a lock: with tickets, served in order, and with a lock
// that is taken by compare-and-swap, with waits that become longer.
//
// Shows threads that poll a word in L2 until another block writes it, fences, and nanosleep.
#include "verify.h"

struct Record {
    uint32_t count, sum, last, odd;
};

__device__ void change(volatile Record *record, uint32_t by)
{
    record->count = record->count + 1;
    record->sum = record->sum + by;
    record->last = by;
    record->odd = record->odd ^ by;
}

__global__ void ticket_lock(uint32_t *next, volatile uint32_t *serving, Record *record, int rounds)
{
    if (threadIdx.x != 0)
        return;
    for (int r = 0; r < rounds; r++) {
        uint32_t ticket = atomicAdd(next, 1u);
        while (*serving != ticket)
            ;
        __threadfence();
        change(record, ticket);
        __threadfence();
        *serving = ticket + 1;
    }
}

__global__ void swap_lock(uint32_t *lock, Record *record, int rounds)
{
    if (threadIdx.x != 0)
        return;
    for (int r = 0; r < rounds; r++) {
        for (unsigned wait = 32; atomicCAS(lock, 0u, 1u) != 0; wait = min(wait * 2, 1024u))
            __nanosleep(wait);
        __threadfence();
        change(record, blockIdx.x * rounds + r);
        __threadfence();
        atomicExch(lock, 0u);
    }
}

int main()
{
    const int blocks = 48, rounds = 4, n = blocks * rounds;
    verify::Program program("ticket_lock");
    verify::Buffer<uint32_t> words(2);
    uint32_t odd = 0;
    for (int i = 0; i < n; i++)
        odd ^= (uint32_t)i;
    for (int kind = 0; kind < 2; kind++) {
        verify::Buffer<Record> record(1);
        if (kind == 0)
            ticket_lock<<<blocks, 32>>>(words.data, words.data + 1, record.data, rounds);
        else
            swap_lock<<<blocks, 32>>>(words.data, record.data, rounds);
        program.launched(kind == 0 ? "ticket_lock" : "swap_lock");
        Record got = record.read()[0];
        program.holds("all changes counted", got.count == (uint32_t)n);
        program.holds("sum", got.sum == (uint32_t)(n * (n - 1) / 2) && got.odd == odd);
        program.output("locks", words);
        words.write({0, 0});
    }
    return program.finish();
}
