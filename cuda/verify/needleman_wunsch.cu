// Alignment scores of pairs of sequences (Needleman and Wunsch), one pair per block.
//
// Shows a wavefront: the threads walk along anti-diagonals, with a barrier after each, so that few
// lanes are active at the start and the end.
#include "verify.h"

const int length = 96, gap = -2, match = 3, mismatch = -1;

__global__ void needleman_wunsch(const unsigned char *a, const unsigned char *b, int *scores)
{
    __shared__ int diagonal[3][length + 1];
    __shared__ unsigned char left[length], top[length];
    int t = threadIdx.x; // row t + 1
    left[t] = a[blockIdx.x * length + t];
    top[t] = b[blockIdx.x * length + t];
    for (int d = 0; d <= 2 * length; d++) {
        int *now = diagonal[d % 3], *one = diagonal[(d + 2) % 3], *two = diagonal[(d + 1) % 3];
        int row = t + 1, column = d - row;
        __syncthreads();
        if (t == 0)
            now[0] = d * gap; // the cell in row 0
        if (column == 0) {
            now[row] = row * gap;
        } else if (column > 0 && column <= length) {
            int pair = left[row - 1] == top[column - 1] ? match : mismatch;
            now[row] = max(two[row - 1] + pair, max(one[row - 1], one[row]) + gap);
        }
    }
    if (t == length - 1)
        scores[blockIdx.x] = diagonal[2 * length % 3][length];
}

static int align(const unsigned char *a, const unsigned char *b)
{
    std::vector<int> row(length + 1), next(length + 1);
    for (int j = 0; j <= length; j++)
        row[j] = j * gap;
    for (int i = 1; i <= length; i++) {
        next[0] = i * gap;
        for (int j = 1; j <= length; j++) {
            int pair = a[i - 1] == b[j - 1] ? match : mismatch;
            next[j] = std::max(row[j - 1] + pair, std::max(row[j], next[j - 1]) + gap);
        }
        row.swap(next);
    }
    return row[length];
}

int main()
{
    const int pairs = 150 * verify::size();
    verify::Program program("needleman_wunsch");
    std::vector<uint32_t> words = verify::random_words(2 * pairs * length, 1, 4);
    std::vector<unsigned char> a(words.begin(), words.begin() + pairs * length);
    std::vector<unsigned char> b(words.begin() + pairs * length, words.end());
    for (int i = 0; i < pairs * length; i++)
        if (i % 5)
            b[i] = a[i]; // so that most of a pair agrees
    verify::Buffer<unsigned char> device_a(a), device_b(b);
    verify::Buffer<int> scores(pairs);

    needleman_wunsch<<<pairs, length>>>(device_a.data, device_b.data, scores.data);
    program.launched("needleman_wunsch");

    std::vector<int> want;
    for (int i = 0; i < pairs; i++)
        want.push_back(align(&a[i * length], &b[i * length]));
    program.equal("score", program.output("scores", scores), want);
    return program.finish();
}
