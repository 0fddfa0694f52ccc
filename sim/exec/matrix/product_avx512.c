/* Sums of exact products for processors with AVX-512. */
#define UNIT product_avx512
#include "exec/matrix/product_lanes.h"
