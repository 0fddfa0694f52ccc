// Matrix product C = A B + C on tensor cores: f16 operands, f32 sums, one warp for 16 x 8 of C.
//
// Shows mma.sync as PTX, with the fragments loaded as its layout asks for: g = lane / 4 chooses a
// row of A and C and a column of B, t = lane % 4 the pair along the other axis. Values are small
// integers, so that every sum is exact and must come out equal.
#include "verify.h"

#include <cuda_fp16.h>

__device__ unsigned pair(__half low, __half high)
{
    return (unsigned)__half_as_ushort(high) << 16 | __half_as_ushort(low);
}

__global__ void matmul_tensor(const __half *a, const __half *b, float *c, int n)
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int row = 16 * blockIdx.y, column = 8 * blockIdx.x;
    float d[4];
    for (int i = 0; i < 4; i++)
        d[i] = c[(row + g + 8 * (i / 2)) * n + column + 2 * t + i % 2];
    for (int k = 0; k < n; k += 8) {
        unsigned a0 = *(const unsigned *)&a[(row + g) * n + k + 2 * t];
        unsigned a1 = *(const unsigned *)&a[(row + g + 8) * n + k + 2 * t];
        unsigned b0 = pair(b[(k + 2 * t) * n + column + g], b[(k + 2 * t + 1) * n + column + g]);
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a0), "r"(a1), "r"(b0));
    }
    for (int i = 0; i < 4; i++)
        c[(row + g + 8 * (i / 2)) * n + column + 2 * t + i % 2] = d[i];
}

int main()
{
    const int n = 128 * verify::size();
    verify::Program program("matmul_tensor");
    std::vector<uint32_t> words = verify::random_words(3 * n * n, 1, 17);
    std::vector<__half> a, b;
    std::vector<float> want(n * n);
    for (int i = 0; i < n * n; i++) {
        a.push_back(__float2half((float)words[i] - 8.0f));
        b.push_back(__float2half((float)words[n * n + i] - 8.0f));
        want[i] = (float)words[2 * n * n + i] - 8.0f;
    }
    verify::Buffer<__half> device_a(a), device_b(b);
    verify::Buffer<float> device_c(want);

    matmul_tensor<<<dim3(n / 8, n / 16), 32>>>(device_a.data, device_b.data, device_c.data, n);
    program.launched("matmul_tensor");

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                want[i * n + j] += __half2float(a[i * n + k]) * __half2float(b[k * n + j]);
    program.equal("c", program.output("c", device_c), want);
    return program.finish();
}
