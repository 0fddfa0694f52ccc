// Edit distance (Levenshtein) of pairs of words of 40 letters, one pair per thread, with a row of
// the table in local memory.
//
// Shows a row that every step reads, changes and writes, one element after the other.
#include "verify.h"

const int length = 40;

__host__ __device__ inline int distance(const uint8_t *a, const uint8_t *b, int step)
{
    uint8_t row[length + 1];
    for (int j = 0; j <= length; j++)
        row[j] = (uint8_t)j;
    for (int i = 0; i < length; i++) {
        int corner = row[0], left = i + 1;
        row[0] = (uint8_t)left;
        for (int j = 0; j < length; j++) {
            int above = row[j + 1], replaced = corner + (a[i * step] != b[j * step]);
            left = min(min(above, left) + 1, replaced);
            corner = above;
            row[j + 1] = (uint8_t)left;
        }
    }
    return row[length];
}

__global__ void levenshtein(const uint8_t *a, const uint8_t *b, int pairs, int *distances)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    distances[i] = distance(a + i, b + i, pairs);
}

int main()
{
    const int pairs = 4224;
    verify::Program program("levenshtein");
    std::vector<uint8_t> a, b;
    for (uint32_t word : verify::random_words(length * pairs, 1, 4))
        a.push_back((uint8_t)('a' + word));
    for (int i = 0; i < length * pairs; i++) // the same word, moved by one letter here and there
        b.push_back(verify::random_word(2, i) % 8 ? a[i] : a[(i + pairs) % (length * pairs)]);
    verify::Buffer<uint8_t> device_a(a), device_b(b);
    verify::Buffer<int> distances(pairs);
    levenshtein<<<pairs / 64, 64>>>(device_a.data, device_b.data, pairs, distances.data);
    program.launched("levenshtein");
    std::vector<int> want;
    for (int i = 0; i < pairs; i++)
        want.push_back(distance(&a[i], &b[i], pairs));
    program.equal("distance", program.output("distances", distances), want);
    return program.finish();
}
