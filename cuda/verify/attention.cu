// Attention, plain: softmax(Q K^T / sqrt(d)) V, one block per query, with the running maximum of a
// single pass over keys.
//
// Shows a block that turns from one thread per key to one thread per column of V, dynamic shared
// memory, and exponentials that rescale what has been summed so far.
#include "verify.h"

const int d = 32, chunk = 64; // columns; keys at a time

__global__ void attention(const float *q, const float *k, const float *v, float *out, int keys)
{
    extern __shared__ float shared[]; // the query, then the scores of a chunk
    float *query = shared, *scores = shared + d;
    int t = threadIdx.x;
    if (t < d)
        query[t] = q[blockIdx.x * d + t];
    float highest = -INFINITY, sum = 0.0f, mine = 0.0f;
    for (int base = 0; base < keys; base += chunk) {
        __syncthreads();
        float score = 0.0f;
        for (int i = 0; i < d; i++)
            score += query[i] * k[(base + t) * d + i];
        scores[t] = score * 0.17677669f; // 1 / sqrt(32)
        __syncthreads();
        float before = highest;
        for (int j = 0; j < chunk; j++)
            highest = fmaxf(highest, scores[j]);
        float rescale = expf(before - highest);
        sum *= rescale;
        mine *= rescale;
        for (int j = 0; j < chunk; j++) {
            float weight = expf(scores[j] - highest);
            sum += weight;
            mine += weight * v[(base + j) * d + t % d];
        }
    }
    if (t < d)
        out[blockIdx.x * d + t] = mine / sum;
}

int main()
{
    const int queries = 256 * verify::size(), keys = 256;
    verify::Program program("attention");
    std::vector<float> q = verify::random_floats(queries * d, 1, -2.0f, 2.0f);
    std::vector<float> k = verify::random_floats(keys * d, 2, -2.0f, 2.0f);
    std::vector<float> v = verify::random_floats(keys * d, 3);
    verify::Buffer<float> device_q(q), device_k(k), device_v(v), to(q.size());

    attention<<<queries, chunk, (d + chunk) * sizeof(float)>>>(device_q.data, device_k.data,
                                                               device_v.data, to.data, keys);
    program.launched("attention");

    std::vector<double> want(q.size(), 0.0);
    for (int i = 0; i < queries; i++) {
        double sum = 0.0;
        for (int j = 0; j < keys; j++) {
            double score = 0.0;
            for (int c = 0; c < d; c++)
                score += (double)q[i * d + c] * k[j * d + c];
            double weight = std::exp(score / std::sqrt((double)d));
            sum += weight;
            for (int c = 0; c < d; c++)
                want[i * d + c] += weight * v[j * d + c];
        }
        for (int c = 0; c < d; c++)
            want[i * d + c] /= sum;
    }
    program.close("out", program.output("out", to), want, 1e-4, 1e-5);
    return program.finish();
}
