/* Sums of exact products for processors of any kind. */
#define UNIT product_plain
#include "exec/matrix/product_lanes.h"
