#include "sample/student.h"

/* SOURCE: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975. */
static const double quantile[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                  2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                  2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                  2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

enum { ROWS = sizeof quantile / sizeof quantile[0] };

double student_95(double freedom)
{
    const double normal = 1.960;
    if (freedom <= 1)
        return quantile[0];
    if (freedom >= ROWS) /* nearly linear in 1 / freedom */
        return normal + (quantile[ROWS - 1] - normal) * ROWS / freedom;
    unsigned low = (unsigned)freedom;
    double part = freedom - low;
    return quantile[low - 1] + part * (quantile[low] - quantile[low - 1]);
}
