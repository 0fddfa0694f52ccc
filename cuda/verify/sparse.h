// A sparse matrix in compressed rows (CSR), as used by spmv_scalar, spmv_vector and bfs.
#ifndef CUDA_VERIFY_SPARSE_H
#define CUDA_VERIFY_SPARSE_H

#include "verify.h"

struct Sparse {
    int rows;
    std::vector<int> start;   // rows + 1 positions in column and value
    std::vector<int> column;  // ascending within a row
    std::vector<float> value; // of the same length
};

/// A square matrix whose rows have 0 to `most` entries; every 64th row has eight times as many.
inline Sparse sparse_random(int rows, int most, uint32_t seed)
{
    Sparse matrix;
    matrix.rows = rows;
    matrix.start.push_back(0);
    for (int row = 0; row < rows; row++) {
        int count = (int)(verify::random_word(seed, (uint32_t)row) % (uint32_t)(most + 1));
        if (row % 64 == 0)
            count = 8 * most;
        std::vector<int> columns;
        for (int k = 0; k < count; k++) {
            uint32_t word = verify::random_word(seed + 1, (uint32_t)(row * 8 * most + k));
            columns.push_back((int)(word % (uint32_t)rows));
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (int column : columns) {
            matrix.column.push_back(column);
            matrix.value.push_back(
                2.0f * verify::random_unit(seed + 2, (uint32_t)matrix.value.size()) - 1.0f);
        }
        matrix.start.push_back((int)matrix.column.size());
    }
    return matrix;
}

#endif
