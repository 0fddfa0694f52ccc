/* A barrier of the block whose number is in a register: test_sass_exec_findings.c and
 * test_cuda_launch.c. MANIFEST says how this is compiled. */

/* Thread t arrives at barrier 1 + t % kinds. With `kinds` above 1 the lanes of a warp bring
 * different numbers to one BAR, which the PTX ISA does not allow. */
extern "C" __global__ void numbered_barrier(int *out, unsigned kinds)
{
    const unsigned number = 1 + threadIdx.x % kinds;
    asm volatile("barrier.sync %0;" ::"r"(number) : "memory");
    out[threadIdx.x] = (int)number;
}
