/* Sums of exact products for processors with AVX2. */
#define UNIT product_avx2
#include "exec/matrix/product_lanes.h"
