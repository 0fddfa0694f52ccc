// Programs whose results or paths depend on time: blocks that take work from queues, wait for one
// another, lock, or race through plain loads and stores.
//
//     race [-r RUNS] [CASE...]      without names: all cases; -r: launches of each case (default 1)
//
// Prints a row of CSV for each launch: the case, the run, what is counted, how much the blocks did
// (smallest, quartiles, largest, sum), and whether the result is right. Inputs are made anew before
// each launch. All results but the counts are checked.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned long long u64;
enum { SMS = 132, THREADS = 128, WORDS = 1 << 24 };

struct state {
    unsigned *done;    // [blocks] what each block counts
    unsigned *word;    // [4096] locks, counters, flags; zero at the start
    u64 *wide;         // [65536] status words and links; zero at the start
    unsigned *data;    // [WORDS] data[i] = hash(i)
    unsigned *out;     // [1 << 20] zero at the start
    unsigned size;     // of the case
};

__host__ __device__ unsigned hash(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

__device__ float chain(float x, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        x = fmaf(x, 0.999f, 1.0f);
    return x;
}

__device__ unsigned wander(const unsigned *data, unsigned at, unsigned lines)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < lines; i++)
        sum += data[(hash(at + i) + threadIdx.x) % WORDS];
    return sum;
}

enum kind { EQUAL, COMPUTE, MEMORY };

__device__ unsigned item_of(const state &s, unsigned item, kind what)
{
    if (what == MEMORY)
        return wander(s.data, item * 64, 1 + hash(item) % 48);
    unsigned length = what == EQUAL ? 600 : 50 + hash(item) % 1600;
    return __float_as_uint(chain((float)item, length)) & 1;
}

// A block takes the next item from an atomic counter until there is none.
template <kind what> __global__ void queue(state s)
{
    __shared__ unsigned item;
    unsigned sum = 0;
    for (;;) {
        if (threadIdx.x == 0)
            item = atomicAdd(s.word, 1);
        __syncthreads();
        unsigned mine = item;
        __syncthreads();
        if (mine >= s.size)
            break;
        sum += item_of(s, mine, what);
        if (threadIdx.x == 0) {
            s.done[blockIdx.x]++;
            atomicAdd(&s.out[mine], 1);
        }
    }
    if (sum == 0x12345678)
        s.out[0] = 99;
}

// The same work with a fixed assignment: item i is of block i modulo the number of blocks.
__global__ void fixed_tiles(state s)
{
    unsigned sum = 0;
    for (unsigned item = blockIdx.x; item < s.size; item += gridDim.x) {
        sum += item_of(s, item, COMPUTE);
        if (threadIdx.x == 0) {
            s.done[blockIdx.x]++;
            atomicAdd(&s.out[item], 1);
        }
    }
    if (sum == 0x12345678)
        s.out[0] = 99;
}

// Prefix sum over tiles of THREADS words by decoupled look-back. A status word has the sum in its
// low half; in its high half 1: sum of the tile, 2: sum up to the tile. Counts polls in vain.
__global__ void lookback(state s)
{
    __shared__ unsigned tile, before, scan[THREADS];
    volatile u64 *status = s.wide;
    unsigned t = threadIdx.x;
    if (t == 0)
        tile = atomicAdd(s.word, 1);
    __syncthreads();
    unsigned at = tile * THREADS + t, value = s.data[at] & 0xff;
    scan[t] = value;
    for (unsigned d = 1; d < THREADS; d *= 2) {
        __syncthreads();
        unsigned other = t >= d ? scan[t - d] : 0;
        __syncthreads();
        scan[t] += other;
    }
    if (t == THREADS - 1)
        status[tile] = (u64)(tile ? 1 : 2) << 32 | scan[t];
    if (t == 0)
        before = 0;
    __syncthreads();
    if (t == 0 && tile) {
        unsigned sum = 0, polls = 0;
        for (unsigned back = tile - 1;; back--) {
            u64 seen;
            while (!((seen = status[back]) >> 32))
                polls++;
            sum += (unsigned)seen;
            if (seen >> 32 == 2)
                break;
        }
        before = sum;
        status[tile] = (u64)2 << 32 | (sum + scan[THREADS - 1]);
        s.done[blockIdx.x] = polls;
    }
    __syncthreads();
    s.out[at] = before + scan[t];
}

template <bool sleeps> __device__ unsigned lock(unsigned *word)
{
    unsigned tries = 0, pause = 32;
    while (atomicCAS(word, 0, 1)) {
        tries++;
        if (sleeps) {
            __nanosleep(pause);
            pause = pause < 1024 ? pause * 2 : pause;
        }
    }
    __threadfence();
    return tries;
}

__device__ void unlock(unsigned *word)
{
    __threadfence();
    atomicExch(word, 0);
}

// One lock. Of the first thread of each block: as often as there is work, and whoever comes takes it.
template <bool sleeps> __global__ void lock_unfair(state s)
{
    volatile unsigned *counter = s.word + 32;
    for (bool more = true; more;) {
        lock<sleeps>(s.word);
        unsigned now = *counter;
        more = now < s.size;
        if (more)
            *counter = now + 1;
        unlock(s.word);
        s.done[blockIdx.x] += more;
    }
}

// The same lock, as often for each block. Counts tries in vain.
template <bool sleeps> __global__ void lock_fair(state s)
{
    volatile unsigned *counter = s.word + 32;
    unsigned tries = 0;
    for (unsigned i = 0; i < s.size; i++) {
        tries += lock<sleeps>(s.word);
        *counter = *counter + 1;
        unlock(s.word);
    }
    s.done[blockIdx.x] = tries;
}

// Counts polls in vain.
__global__ void ticket_lock(state s)
{
    volatile unsigned *serving = s.word + 32, *counter = s.word + 64;
    unsigned polls = 0;
    for (unsigned i = 0; i < s.size; i++) {
        unsigned ticket = atomicAdd(s.word, 1);
        while (*serving != ticket)
            polls++;
        __threadfence();
        *counter = *counter + 1;
        __threadfence();
        *serving = ticket + 1;
    }
    s.done[blockIdx.x] = polls;
}

// All blocks meet s.size times. Counts polls in vain.
__global__ void grid_barrier(state s)
{
    volatile unsigned *round = s.word + 32;
    unsigned polls = 0;
    float x = threadIdx.x;
    for (unsigned i = 0; i < s.size; i++) {
        x = chain(x, 20 + hash(blockIdx.x * 64 + i) % 200);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(s.word, 1) == gridDim.x * (i + 1) - 1)
                *round = i + 1;
            else
                while (*round <= i)
                    polls++;
            __threadfence();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        s.done[blockIdx.x] = polls;
    if (x == 0.5f)
        s.out[0] = 99;
}

// Block 2i produces for block 2i + 1, through a ring of eight places. Counts polls in vain.
__global__ void producer_consumer(state s)
{
    unsigned pair = blockIdx.x / 2, polls = 0, sum = 0;
    volatile unsigned *head = s.word + pair * 32, *tail = s.word + pair * 32 + 16;
    volatile unsigned *ring = s.out + 4096 + pair * 1024;
    bool produces = blockIdx.x % 2 == 0;
    for (unsigned i = 0; i < s.size; i++) {
        if (threadIdx.x == 0) {
            if (produces)
                while (i - *tail >= 8)
                    polls++;
            else
                while (*head <= i)
                    polls++;
            __threadfence();
        }
        __syncthreads();
        if (produces)
            ring[i % 8 * THREADS + threadIdx.x] = hash(pair * 4096 + i) + threadIdx.x;
        else
            sum += ring[i % 8 * THREADS + threadIdx.x];
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *(produces ? head : tail) = i + 1;
    }
    if (threadIdx.x == 0)
        s.done[blockIdx.x] = polls;
    if (!produces && threadIdx.x == 0)
        s.out[pair] = sum;
}

// A stack of 256 nodes; head: counter in the high half, node + 1 in the low half. A block takes a
// node, works, puts it back, until s.size nodes have been taken. Counts nodes taken.
__global__ void treiber_stack(state s)
{
    u64 *head = s.wide;
    volatile unsigned *next = s.word + 1024;
    float x = blockIdx.x;
    while (atomicAdd(s.word, 1) < s.size) {
        u64 old = *(volatile u64 *)head, seen;
        for (;; old = seen) {
            unsigned node = (unsigned)old;
            if (!node) {
                seen = *(volatile u64 *)head;
                continue;
            }
            u64 to = ((old >> 32) + 1) << 32 | next[node];
            seen = atomicCAS(head, old, to);
            if (seen == old)
                break;
        }
        unsigned node = (unsigned)old;
        x = chain(x, 100 + hash(node) % 400);
        atomicAdd(&s.out[node], 1);
        old = *(volatile u64 *)head;
        for (;; old = seen) {
            next[node] = (unsigned)old;
            __threadfence();
            seen = atomicCAS(head, old, ((old >> 32) + 1) << 32 | node);
            if (seen == old)
                break;
        }
        s.done[blockIdx.x]++;
    }
    if (x == 0.5f)
        s.out[0] = 99;
}

// Lanes of a warp, and warps, lock one of 16 words of their block. Counts tries in vain.
__global__ void lane_locks(state s)
{
    unsigned *words = s.word + blockIdx.x * 16;
    volatile unsigned *sums = s.out + blockIdx.x * 16;
    unsigned tries = 0;
    for (unsigned i = 0; i < s.size; i++) {
        unsigned which = hash(threadIdx.x * 64 + i) % 16;
        for (bool waits = true; waits;) {
            if (atomicCAS(&words[which], 0, 1) == 0) {
                __threadfence();
                sums[which] = sums[which] + 1;
                __threadfence();
                atomicExch(&words[which], 0);
                waits = false;
            } else {
                tries++;
            }
        }
    }
    atomicAdd(&s.done[blockIdx.x], tries);
}

// Every block writes its number to one word, the later the larger its number: the last one stays.
__global__ void last_writer(state s)
{
    float x = chain((float)blockIdx.x, 200 + 400 * blockIdx.x);
    s.word[0] = blockIdx.x + (x == 0.5f);
    s.done[blockIdx.x] = 1;
}

// Block 0 writes a word in the middle; the others read it at different times. Counts who sees it.
__global__ void early_reader(state s)
{
    unsigned length = blockIdx.x ? 100 * blockIdx.x : 100 * (gridDim.x / 2);
    float x = chain((float)blockIdx.x, length);
    if (blockIdx.x == 0)
        s.word[0] = 1 + (x == 0.5f);
    else
        s.done[blockIdx.x] = ((volatile unsigned *)s.word)[x == 0.5f];
}

// Neighbours exchange numbers without any order between them, s.size times: each block writes its
// word and adds what its left neighbour's word holds at that time.
__global__ void neighbours(state s)
{
    volatile unsigned *cell = s.word;
    unsigned left = (blockIdx.x + gridDim.x - 1) % gridDim.x, seen = 0;
    float x = threadIdx.x;
    for (unsigned i = 0; i < s.size; i++) {
        x = chain(x, 100);
        cell[blockIdx.x * 16] = i + 1 + (x == 0.5f);
        seen += cell[left * 16];
    }
    s.done[blockIdx.x] = seen;
}

struct test {
    const char *name, *counts;
    void (*kernel)(state);
    unsigned blocks, threads, size;
    bool (*right)(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &out);
};

static bool each_once(const test &t, const std::vector<unsigned> &, const std::vector<unsigned> &out)
{
    for (unsigned i = 0; i < t.size; i++)
        if (out[i] != 1)
            return false;
    return true;
}

static bool counter_is(const std::vector<unsigned> &word, unsigned at, unsigned expected)
{
    return word[at] == expected;
}

static bool locked_total(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &)
{
    return counter_is(word, 32, t.size);
}

static bool locked_each(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &)
{
    return counter_is(word, 32, t.size * t.blocks);
}

static bool tickets(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &)
{
    return counter_is(word, 64, t.size * t.blocks);
}

static bool met(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &)
{
    return counter_is(word, 0, t.size * t.blocks);
}

static bool scanned(const test &t, const std::vector<unsigned> &, const std::vector<unsigned> &out)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < t.blocks * THREADS; i++) {
        sum += hash(i) & 0xff;
        if (out[i] != sum)
            return false;
    }
    return true;
}

static bool consumed(const test &t, const std::vector<unsigned> &, const std::vector<unsigned> &out)
{
    for (unsigned pair = 0; pair < t.blocks / 2; pair++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < t.size; i++)
            sum += hash(pair * 4096 + i);
        if (out[pair] != sum)
            return false;
    }
    return true;
}

static bool taken(const test &t, const std::vector<unsigned> &, const std::vector<unsigned> &out)
{
    unsigned sum = 0;
    for (unsigned i = 1; i <= 256; i++)
        sum += out[i];
    return sum == t.size;
}

static bool lanes_locked(const test &t, const std::vector<unsigned> &, const std::vector<unsigned> &out)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 16 * t.blocks; i++)
        sum += out[i];
    return sum == t.size * t.threads * t.blocks;
}

static bool last_stays(const test &t, const std::vector<unsigned> &word, const std::vector<unsigned> &)
{
    return counter_is(word, 0, t.blocks - 1);
}

static bool whatever(const test &, const std::vector<unsigned> &, const std::vector<unsigned> &)
{
    return true;
}

static const test tests[] = {
    {"queue_equal", "items", queue<EQUAL>, SMS, THREADS, 4224, each_once},
    {"queue_compute", "items", queue<COMPUTE>, SMS, THREADS, 4224, each_once},
    {"queue_memory", "items", queue<MEMORY>, SMS, THREADS, 4224, each_once},
    {"queue_full", "items", queue<COMPUTE>, SMS * 8, THREADS, 16896, each_once},
    {"queue_more", "items", queue<COMPUTE>, SMS * 40, THREADS, 16896, each_once},
    {"tiles_fixed", "items", fixed_tiles, SMS * 2, THREADS, 2112, each_once},
    {"tiles_taken", "items", queue<COMPUTE>, SMS * 2, THREADS, 2112, each_once},
    {"lookback", "polls", lookback, 2048, THREADS, 0, scanned},
    {"lock_unfair", "turns", lock_unfair<false>, SMS, 1, 4224, locked_total},
    {"lock_unfair_sleep", "turns", lock_unfair<true>, SMS, 1, 4224, locked_total},
    {"lock_fair", "polls", lock_fair<false>, SMS, 1, 16, locked_each},
    {"lock_fair_sleep", "polls", lock_fair<true>, SMS, 1, 16, locked_each},
    {"ticket_lock", "polls", ticket_lock, SMS, 1, 16, tickets},
    {"grid_barrier", "polls", grid_barrier, SMS, THREADS, 64, met},
    {"producer_consumer", "polls", producer_consumer, SMS, THREADS, 64, consumed},
    {"treiber_stack", "turns", treiber_stack, SMS, 1, 4224, taken},
    {"lane_locks", "polls", lane_locks, 32, 64, 8, lanes_locked},
    {"last_writer", "turns", last_writer, SMS, 32, 0, last_stays},
    {"early_reader", "seen", early_reader, SMS, 32, 0, whatever},
    {"neighbours", "seen", neighbours, SMS, 1, 64, whatever},
};

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "race: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

template <typename T> static T *room(size_t count)
{
    T *p;
    check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
    return p;
}

enum { OUT = 1 << 20, WORD = 8192, WIDE = 65536, BLOCKS = SMS * 40 };

static bool run(const test &t, unsigned number, state &s)
{
    check(cudaMemset(s.done, 0, BLOCKS * sizeof(unsigned)), "cudaMemset");
    check(cudaMemset(s.out, 0, OUT * sizeof(unsigned)), "cudaMemset");
    std::vector<unsigned> word(WORD), out(OUT), done(t.blocks);
    std::vector<u64> wide(WIDE);
    if (t.kernel == treiber_stack) { // a full stack
        wide[0] = 256;
        for (unsigned i = 1; i <= 256; i++)
            word[1024 + i] = i - 1;
    }
    check(cudaMemcpy(s.word, word.data(), WORD * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(s.wide, wide.data(), WIDE * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
    s.size = t.size;
    t.kernel<<<t.blocks, t.threads>>>(s);
    check(cudaGetLastError(), t.name);
    check(cudaDeviceSynchronize(), t.name);
    check(cudaMemcpy(word.data(), s.word, WORD * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaMemcpy(out.data(), s.out, OUT * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaMemcpy(done.data(), s.done, t.blocks * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::sort(done.begin(), done.end());
    u64 sum = 0;
    for (unsigned n : done)
        sum += n;
    bool right = t.right(t, word, out);
    printf("%s,%u,%s,%u,%u,%u,%u,%u,%llu,%s\n", t.name, number, t.counts, done[0],
           done[t.blocks / 4], done[t.blocks / 2], done[3 * t.blocks / 4], done.back(), sum,
           right ? "right" : "wrong");
    return right;
}

int main(int argc, char **argv)
{
    unsigned runs = 1;
    int first = 1;
    if (argc > 2 && !strcmp(argv[1], "-r")) {
        runs = (unsigned)atoi(argv[2]);
        first = 3;
    }
    state s = {room<unsigned>(BLOCKS), room<unsigned>(WORD), room<u64>(WIDE), room<unsigned>(WORDS),
               room<unsigned>(OUT), 0};
    std::vector<unsigned> data(WORDS);
    for (unsigned i = 0; i < WORDS; i++)
        data[i] = hash(i);
    check(cudaMemcpy(s.data, data.data(), WORDS * 4ul, cudaMemcpyHostToDevice), "cudaMemcpy");
    printf("case,run,counts,smallest,lower,median,upper,largest,sum,result\n");
    bool right = true;
    for (const test &t : tests) {
        bool wanted = argc == first;
        for (int i = first; i < argc; i++)
            wanted |= !strcmp(argv[i], t.name);
        for (unsigned i = 0; wanted && i < runs; i++)
            right &= run(t, i, s);
    }
    return right ? 0 : 1;
}
