// Use of barriers, warp barriers and warp operations: who has to take part, and who may be missing.
// check_case.h says how a case is written; hopper.cu has mbarriers and clusters.
#include "check_case.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

const unsigned all_lanes = 0xffffffffu;

// ---- Barriers of the block ----

// In most of these cases whole warps part. Lanes of a warp that wait at two different
// __syncthreads() may wait for each other for ever.

__global__ void every_other_lane(int *out)
{
    if (threadIdx.x % 2)
        __syncthreads(); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(barrier_in_branch, FAULTY, "sync", "Every other lane is at a barrier, the others pass it by")
{
    device_array<int> out(64);
    every_other_lane<<<1, 64>>>(out);
}

__global__ void two_barriers(int *out)
{
    if (threadIdx.x % 32 < 16) {
        out[threadIdx.x] = 1;
        __syncthreads(); // FAULT
        out[threadIdx.x] += 2;
    } else {
        asm volatile("bar.sync 0;" ::: "memory"); // FAULT
        out[threadIdx.x] = 4;
    }
}

CASE(barrier_in_both_branches, FAULTY, "sync",
     "Half of each warp is at one barrier, half at another")
{
    device_array<int> out(64);
    two_barriers<<<1, 64>>>(out);
}

__global__ void uneven_loop(int *out)
{
    int sum = 0;
    for (unsigned i = 0; i <= threadIdx.x / 32; i++) {
        sum += i;
        __syncthreads(); // FAULT
    }
    out[threadIdx.x] = sum;
    __syncthreads(); // FAULT
    out[threadIdx.x] += 1;
}

CASE(barrier_in_uneven_loop, FAULTY, "sync", "Warps pass a loop with a barrier different times")
{
    device_array<int> out(128);
    uneven_loop<<<1, 128>>>(out);
}

__global__ void one_warp_only(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads(); // FAULT
    out[threadIdx.x] = threadIdx.x;
    __syncthreads(); // FAULT
    out[threadIdx.x] += 1;
}

CASE(barrier_in_one_warp, FAULTY, "sync",
     "One warp of two is at a barrier, the other at the next one")
{
    device_array<int> out(64);
    one_warp_only<<<1, 64>>>(out);
}

__global__ void until_found(const int *in, int *out)
{
    int steps = 0;
    while (in[threadIdx.x] > steps) {
        steps++;
        __syncthreads(); // FAULT
    }
    out[threadIdx.x] = steps;
    __syncthreads(); // FAULT
    out[threadIdx.x] += 1;
}

CASE(barrier_until_found, FAULTY, "sync", "A loop with a barrier ends when each warp's data say so")
{
    std::vector<int> values = numbers(64);
    for (int &v : values)
        v = v / 32 * 3 + 1;
    device_array<int> in(values), out(64);
    until_found<<<1, 64>>>(in, out);
}

__device__ __noinline__ int reduce_block(int value)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads(); // FAULT
    atomicAdd(&sum, value);
    __syncthreads(); // FAULT
    return sum;
}

__global__ void call_by_some(int *out)
{
    out[threadIdx.x] = threadIdx.x < 32 ? reduce_block(1) : 0;
    __syncthreads(); // FAULT
    out[threadIdx.x] += 1;
}

CASE(barrier_in_function, FAULTY, "sync", "One warp of two calls a function that has barriers")
{
    device_array<int> out(64);
    call_by_some<<<1, 64>>>(out);
}

__global__ void any_of_some(const int *in, int *out)
{
    int any = 0;
    if (in[threadIdx.x] < 32)
        any = __syncthreads_or(in[threadIdx.x] == 7);   // FAULT
    out[threadIdx.x] = any + __syncthreads_or(any > 5); // FAULT
}

CASE(vote_of_block_in_branch, FAULTY, "sync", "__syncthreads_or() in a branch that one warp takes")
{
    device_array<int> in(numbers(64)), out(64);
    any_of_some<<<1, 64>>>(in, out);
}

__device__ void bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void leaders_meet(int *out)
{
    if (threadIdx.x % 32 == 0)
        bar_sync(1, 64); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(named_barrier_of_leaders, FAULTY, "sync",
     "One lane of each warp is at bar.sync, which is for warps")
{
    device_array<int> out(64);
    leaders_meet<<<1, 64>>>(out);
}

__global__ void odd_count(int *out, int count)
{
    bar_sync(1, count); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(named_barrier_odd_count, FAULTY, "sync",
     "bar.sync for 48 threads, which is no whole number of warps")
{
    device_array<int> out(64);
    odd_count<<<1, 64>>>(out, 48);
}

__global__ void sixteenth_barrier(int *out, int id)
{
    bar_sync(id, 64); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(named_barrier_16, FAULTY, "sync", "bar.sync at barrier 16, where a block has barriers 0 to 15")
{
    device_array<int> out(64);
    sixteenth_barrier<<<1, 64>>>(out, 16);
}

__global__ void grid_meets(int *out)
{
    cg::this_grid().sync(); // FAULT
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

CASE(grid_barrier_in_plain_launch, FAULTY, "sync",
     "grid.sync() in a launch that is not cooperative")
{
    device_array<int> out(64);
    grid_meets<<<2, 32>>>(out);
}

// ---- Warps ----

__global__ void syncwarp_without_itself(int *out)
{
    out[threadIdx.x] = threadIdx.x;
    __syncwarp(0x0000ffffu); // FAULT
    out[threadIdx.x] += 1;
}

CASE(syncwarp_without_itself, FAULTY, "sync", "Lanes call __syncwarp() with a mask that lacks them")
{
    device_array<int> out(32);
    syncwarp_without_itself<<<1, 32>>>(out);
}

__global__ void syncwarp_of_some(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    int value = in[threadIdx.x + 32];
    if (value % 2) {
        __syncwarp(); // FAULT
        value += s[(threadIdx.x + 2) % 32];
    }
    out[threadIdx.x] = value * value;
}

CASE(syncwarp_in_branch, FAULTY, "sync", "__syncwarp() of all lanes where half of them are")
{
    device_array<int> in(numbers(64)), out(32);
    syncwarp_of_some<<<1, 32>>>(in, out);
}

__global__ void different_masks(int *out)
{
    const unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : all_lanes;
    out[threadIdx.x] = threadIdx.x;
    __syncwarp(mask); // FAULT
    out[threadIdx.x] += 1;
}

CASE(syncwarp_different_masks, FAULTY, "sync", "Lanes of one __syncwarp() name different masks")
{
    device_array<int> out(32);
    different_masks<<<1, 32>>>(out);
}

__global__ void shuffle_from_returned(int *out)
{
    const int value = threadIdx.x;
    if (threadIdx.x >= 16)
        return;
    out[threadIdx.x] = __shfl_down_sync(all_lanes, value, 16); // FAULT
}

CASE(shuffle_from_returned, FAULTY, "sync", "A shuffle reads from lanes that have returned")
{
    device_array<int> out(32);
    shuffle_from_returned<<<1, 32>>>(out);
}

__global__ void shuffle_outside_mask(int *out, int from)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, from); // FAULT
}

CASE(shuffle_from_outside_mask, FAULTY, "sync", "A shuffle reads from a lane outside of its mask")
{
    device_array<int> out(32, 0);
    shuffle_outside_mask<<<1, 32>>>(out, 20);
}

__global__ void shuffle_without_itself(int *out)
{
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, 3); // FAULT
}

CASE(shuffle_without_itself, FAULTY, "sync",
     "All lanes call a shuffle whose mask names half of them")
{
    device_array<int> out(32);
    shuffle_without_itself<<<1, 32>>>(out);
}

__global__ void shuffle_in_branch(const int *in, int *out)
{
    int value = in[threadIdx.x];
    if (value % 2)
        value += __shfl_xor_sync(all_lanes, value, 1); // FAULT
    out[threadIdx.x] = value;
}

CASE(shuffle_in_branch, FAULTY, "sync", "A shuffle of all lanes in a branch that half of them take")
{
    device_array<int> in(numbers(32)), out(32);
    shuffle_in_branch<<<1, 32>>>(in, out);
}

__global__ void vote_in_branch(const int *in, unsigned *out)
{
    unsigned votes = 0;
    if (in[threadIdx.x] < 20)
        votes = __ballot_sync(all_lanes, in[threadIdx.x] % 2); // FAULT
    out[threadIdx.x] = votes;
}

CASE(vote_in_branch, FAULTY, "sync", "A vote of all lanes in a branch that twenty of them take")
{
    device_array<int> in(numbers(32));
    device_array<unsigned> out(32);
    vote_in_branch<<<1, 32>>>(in, out);
}

__global__ void stale_mask(const int *in, int *out)
{
    const unsigned mask = __activemask();
    int value = in[threadIdx.x];
    if (value < 8)
        value = __reduce_add_sync(mask, value); // FAULT
    out[threadIdx.x] = value;
}

CASE(mask_from_before_branch, FAULTY, "sync", "A mask of before a branch is used within it")
{
    device_array<int> in(numbers(32)), out(32);
    stale_mask<<<1, 32>>>(in, out);
}

__global__ void reduce_without_itself(int *out)
{
    out[threadIdx.x] = __reduce_add_sync(0x00ffffffu, (int)threadIdx.x); // FAULT
}

CASE(reduce_without_itself, FAULTY, "sync",
     "All lanes call a reduction whose mask names 24 of them")
{
    device_array<int> out(32);
    reduce_without_itself<<<1, 32>>>(out);
}

__global__ void tile_of_some(int *out)
{
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x % 32 >= 24)
        return;
    out[threadIdx.x] = tile.shfl((int)threadIdx.x, 30); // FAULT
}

CASE(tile_shuffle_from_returned, FAULTY, "sync", "A tile reads from a lane that has returned")
{
    device_array<int> out(64);
    tile_of_some<<<1, 64>>>(out);
}

__global__ void match_in_branch(const int *in, unsigned *out)
{
    unsigned same = 0;
    if (threadIdx.x % 3 == 0)
        same = __match_any_sync(all_lanes, in[threadIdx.x] / 6); // FAULT
    out[threadIdx.x] = same;
}

CASE(match_in_branch, FAULTY, "sync", "__match_any_sync() of all lanes where a third of them are")
{
    device_array<int> in(numbers(32));
    device_array<unsigned> out(32);
    match_in_branch<<<1, 32>>>(in, out);
}

// ---- Correct ----

__global__ void uniform_branch(const int *in, int *out, int twice)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (twice) {
        __syncthreads();
        const int other = s[63 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] = 2 * other;
    }
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

CASE(barrier_in_uniform_branch, CORRECT, "sync",
     "Barriers in a branch that all threads take or none")
{
    device_array<int> in(numbers(64)), out(64);
    uniform_branch<<<1, 64>>>(in, out, 0);
    expect(all(out.host(), [](int i) { return 63 - i; }), "without");
    uniform_branch<<<1, 64>>>(in, out, 1);
    expect(all(out.host(), [](int i) { return 2 * i; }), "with");
}

__global__ void blocks_return(int *out, int n)
{
    __shared__ int s[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((int)(blockIdx.x * blockDim.x) >= n)
        return;
    s[threadIdx.x] = i;
    __syncthreads();
    out[i] = s[63 - threadIdx.x];
}

CASE(whole_block_returns, CORRECT, "sync", "All threads of a block return before a barrier")
{
    device_array<int> out(128);
    blocks_return<<<4, 64>>>(out, 128);
    expect(all(out.host(), [](int i) { return i / 64 * 64 + 63 - i % 64; }), "words");
}

__global__ void return_early(int *out, int n)
{
    __shared__ int s[64];
    if ((int)threadIdx.x >= n)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

CASE(barrier_after_return, CORRECT, "sync",
     "24 of 64 threads have returned: a barrier waits for the threads that have not")
{
    device_array<int> out(40);
    return_early<<<1, 64>>>(out, 40);
    expect(all(out.host(), [](int i) { return 39 - i; }), "words");
}

__global__ void return_after_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if ((int)threadIdx.x >= n)
        return;
    out[threadIdx.x] = s[63 - threadIdx.x];
}

CASE(return_after_last_barrier, CORRECT, "sync", "Threads return early where no barrier follows")
{
    device_array<int> in(numbers(64)), out(40);
    return_after_barrier<<<1, 64>>>(in, out, 40);
    expect(all(out.host(), [](int i) { return 63 - i; }), "words");
}

__global__ void diverge_and_meet(const int *in, int *out)
{
    __shared__ int s[64];
    int value = in[threadIdx.x];
    for (int i = 0; i < (int)threadIdx.x % 7; i++)
        value += i;
    if (threadIdx.x % 2)
        value = -value;
    s[threadIdx.x] = value;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 33];
}

CASE(barrier_after_divergence, CORRECT, "sync",
     "Lanes part in loops and branches, and meet at a barrier")
{
    device_array<int> in(numbers(64)), out(64);
    diverge_and_meet<<<1, 64>>>(in, out);
    const auto value = [](int i) {
        const int sum = i + (i % 7) * (i % 7 - 1) / 2;
        return i % 2 ? -sum : sum;
    };
    expect(all(out.host(), [value](int i) { return value(i ^ 33); }), "words");
}

__global__ void barrier_unaligned(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x % 2)
        asm volatile("barrier.sync 1;" ::: "memory");
    else
        asm volatile("barrier.sync 1;" ::: "memory");
    out[threadIdx.x] = s[63 - threadIdx.x];
}

CASE(unaligned_barrier, CORRECT, "sync",
     "barrier.sync, unlike bar.sync, may be reached in two branches")
{
    device_array<int> in(numbers(64)), out(64);
    barrier_unaligned<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int i) { return 63 - i; }), "words");
}

__global__ void some_warps_meet(const int *in, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x >= 64) {
        out[threadIdx.x] = -1;
        return;
    }
    s[threadIdx.x] = in[threadIdx.x];
    bar_sync(1, 64);
    out[threadIdx.x] = s[63 - threadIdx.x];
}

CASE(named_barrier_of_two_warps, CORRECT, "sync", "Two of four warps meet at a named barrier")
{
    device_array<int> in(numbers(64)), out(128);
    some_warps_meet<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return i < 64 ? 63 - i : -1; }), "words");
}

__global__ void half_warp_shuffle(int *out)
{
    const int lane = threadIdx.x % 32;
    int value = threadIdx.x;
    if (lane < 16)
        value = __shfl_xor_sync(0x0000ffffu, value, 5);
    out[threadIdx.x] = value;
}

CASE(shuffle_of_half_a_warp, CORRECT, "sync",
     "A shuffle in a branch, whose mask names who takes it")
{
    device_array<int> out(64);
    half_warp_shuffle<<<1, 64>>>(out);
    expect(all(out.host(), [](int i) { return i % 32 < 16 ? i ^ 5 : i; }), "words");
}

__global__ void mask_by_ballot(const int *in, int *out)
{
    const int value = in[threadIdx.x];
    const unsigned mask = __ballot_sync(all_lanes, value % 3 == 0);
    int sum = 0;
    if (value % 3 == 0)
        sum = __reduce_add_sync(mask, value);
    out[threadIdx.x] = sum;
}

CASE(mask_by_ballot, CORRECT, "sync", "A ballot before a branch makes the mask for the branch")
{
    device_array<int> in(numbers(32)), out(32);
    mask_by_ballot<<<1, 32>>>(in, out);
    expect(all(out.host(), [](int i) { return i % 3 ? 0 : 165; }), "sums");
}

__global__ void syncwarp_in_both(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 16) {
        __syncwarp(0x0000ffffu);
        out[threadIdx.x] = s[15 - threadIdx.x];
    } else {
        __syncwarp(0xffff0000u);
        out[threadIdx.x] = s[47 - threadIdx.x];
    }
}

CASE(syncwarp_of_halves, CORRECT, "sync",
     "__syncwarp() in both branches, with the masks of the halves")
{
    device_array<int> out(32);
    syncwarp_in_both<<<1, 32>>>(out);
    expect(all(out.host(), [](int i) { return i < 16 ? 15 - i : 47 - i; }), "words");
}

__global__ void some_lanes_returned(int *out)
{
    __shared__ int s[32];
    if (threadIdx.x >= 24)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[23 - threadIdx.x];
}

CASE(syncwarp_after_return, CORRECT, "sync",
     "__syncwarp() of all lanes does not wait for ended lanes")
{
    device_array<int> out(24);
    some_lanes_returned<<<1, 32>>>(out);
    expect(all(out.host(), [](int i) { return 23 - i; }), "words");
}

__global__ void active_lanes(const int *in, int *count)
{
    if (in[threadIdx.x] % 4 == 1) {
        const cg::coalesced_group group = cg::coalesced_threads();
        const int sum = cg::reduce(group, 1, cg::plus<int>());
        if (group.thread_rank() == 0)
            atomicAdd(count, sum);
    }
}

CASE(group_of_active_lanes, CORRECT, "sync",
     "A group of the lanes that are active, whichever they are")
{
    device_array<int> in(numbers(128)), count(1, 0);
    active_lanes<<<1, 128>>>(in, count);
    expect(count.host()[0] == 32, "the count");
}

__global__ void shuffle_in_loop(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(all_lanes, sum, step);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = sum;
}

CASE(shuffle_reduction, CORRECT, "sync",
     "A reduction by shuffles, in which upper lanes get what is not used")
{
    device_array<int> in(numbers(64)), out(2);
    shuffle_in_loop<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int i) { return 496 + i * 1024; }), "sums");
}

__global__ void loop_with_break(const int *in, int *out)
{
    int steps = 0;
    for (;;) {
        const int wants = in[threadIdx.x] > steps;
        if (!__syncthreads_or(wants))
            break;
        steps++;
    }
    out[threadIdx.x] = steps;
}

CASE(loop_ends_by_vote, CORRECT, "sync", "A loop with barriers ends for all threads by a vote")
{
    device_array<int> in(numbers(64)), out(64);
    loop_with_break<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int) { return 63; }), "steps");
}

// ---- Groups of lanes that execute one instruction together ----

__global__ void shuffle_in_eighths(const int *in, int *out)
{
    const unsigned lane = threadIdx.x % 32, mask = 0xffu << (lane & 24);
    int sum = in[threadIdx.x];
    for (int step = 4; step; step /= 2)
        sum += __shfl_xor_sync(mask, sum, step, 8);
    out[threadIdx.x] = sum;
}

CASE(masks_of_four_groups, CORRECT, "sync", "Each eighth lanes shuffle with a mask of their own")
{
    device_array<int> in(numbers(64)), out(64);
    shuffle_in_eighths<<<1, 64>>>(in, out);
}

__global__ void tiles(const int *in, int *out)
{
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    out[threadIdx.x] = sum + cg::inclusive_scan(tile, in[threadIdx.x]);
}

CASE(reduction_and_scan_of_tiles, CORRECT, "sync", "Cooperative groups reduce and scan in tiles")
{
    device_array<int> in(numbers(64)), out(64);
    tiles<<<1, 64>>>(in, out);
}

__global__ void groups_by_value(const int *in, int *out)
{
    const unsigned mask = __match_any_sync(all_lanes, in[threadIdx.x] % 4);
    out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, __ffs(mask) - 1);
    const auto group = cg::labeled_partition(cg::coalesced_threads(), in[threadIdx.x] % 4);
    out[threadIdx.x] += group.shfl(threadIdx.x, 0);
}

CASE(masks_by_match, CORRECT, "sync", "Lanes with the same value shuffle among one another")
{
    device_array<int> in(numbers(64)), out(64);
    groups_by_value<<<1, 64>>>(in, out);
}

__global__ void overlapping_masks(const int *in, int *out)
{
    const unsigned mask = threadIdx.x < 8 ? 0x1ffu : 0xffffff00u;
    out[threadIdx.x] = __shfl_xor_sync(mask, in[threadIdx.x], 1); // FAULT
}

CASE(masks_that_overlap, FAULTY, "sync", "Two groups of lanes both name lane 8")
{
    device_array<int> in(numbers(32)), out(32);
    overlapping_masks<<<1, 32>>>(in, out);
}

__global__ void sum_of_eight(const int *in, int *out)
{
    if (threadIdx.x >= 8)
        return;
    int sum = in[threadIdx.x];
    for (int step = 4; step; step /= 2)
        sum += __shfl_down_sync(0xff, sum, step);
    if (threadIdx.x == 0)
        *out = sum;
}

CASE(reduction_of_few_lanes, CORRECT, "sync",
     "The last lanes of a reduction read lanes outside of the mask and drop what they read")
{
    device_array<int> in(numbers(32)), out(1);
    sum_of_eight<<<1, 32>>>(in, out);
}
