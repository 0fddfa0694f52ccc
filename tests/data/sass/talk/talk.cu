// Random programs whose blocks talk to one another: each warp follows a program that the seed
// gives, of counters, locks, flags, fences, sleeps, barriers, plain and strong accesses, arithmetic
// and branches. Nothing in it waits for ever: a block waits only for flags of blocks that begin
// before it and raise them before they wait themselves.
enum { WORDS = 64, LOCKS = 8 };

struct shared_state {
    unsigned word[WORDS], lock[LOCKS], sum[LOCKS], locked, taken;
};

__device__ static unsigned hash(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Three lanes lock, one after the other, so that no lane waits for another of its warp. */
__device__ static void locked(shared_state *s, unsigned which)
{
    for (unsigned lane = 0; lane < 3; lane++) {
        if (lane == threadIdx.x % 32) {
            while (atomicCAS(&s->lock[which], 0, 1) != 0)
                __nanosleep(40);
            __threadfence();
            *(volatile unsigned *)&s->sum[which] = *(volatile unsigned *)&s->sum[which] + 1;
            __threadfence();
            atomicExch(&s->lock[which], 0);
            atomicAdd(&s->locked, 1);
        }
        __syncwarp();
    }
}

extern "C" __global__ void talk(shared_state *s, volatile unsigned *flag, unsigned *out,
                                unsigned seed, unsigned steps)
{
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x, warp = me / 32;
    unsigned acc = hash(me);
    __shared__ unsigned box[32];
    if (threadIdx.x < 32)
        box[threadIdx.x] = 0;
    for (unsigned i = 0; i < hash(seed + blockIdx.x) % 200; i++)
        acc = acc * 3 + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        flag[blockIdx.x] = 1;
    for (unsigned step = 0; step < steps; step++) {
        const unsigned all = hash(seed * 977 + step), mine = hash(all ^ warp * 7919);
        const unsigned which = hash(mine + (mine & 64 ? threadIdx.x : 0)) % WORDS;
        if (all % 8 == 0) {
            box[threadIdx.x % 32] += acc & 1;
            __syncthreads();
            acc += box[(threadIdx.x + 1) % 32];
            __syncthreads();
            continue;
        }
        switch (mine % 11) {
        case 0:
            acc += atomicAdd(&s->word[which], 1);
            break;
        case 1:
            acc ^= *(volatile unsigned *)&s->word[which];
            break;
        case 2:
            s->word[which] = acc;
            break;
        case 3:
            atomicMax(&s->word[which], acc);
            break;
        case 4:
            __threadfence();
            break;
        case 5:
            locked(s, which % LOCKS);
            break;
        case 6:
            __nanosleep(mine >> 8 & 255);
            break;
        case 7:
            for (unsigned i = 0; i < (mine >> 8) % 40; i++)
                acc = acc * 5 + 3;
            break;
        case 8:
            if (blockIdx.x)
                while (!flag[(mine >> 8) % blockIdx.x])
                    ;
            break;
        case 9:
            acc += s->word[which];
            break;
        case 10:
            if (acc & 1)
                acc += atomicAdd(&s->taken, 1);
            else
                acc ^= acc >> 3;
            break;
        }
    }
    out[me] = acc;
}
