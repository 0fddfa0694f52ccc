/* Texts of quantities: three or four digits and a unit; "-" for NaN. */
#ifndef SIM_REPORT_QUANTITY_H
#define SIM_REPORT_QUANTITY_H

#include <stdint.h>

struct quantity {
    char text[40];
};

struct quantity quantity_count(double n);                /* 17, 1.50 k, 12.3 M */
struct quantity quantity_of(double n, const char *unit); /* "1.50 k cycles"; "1 cycle" for 1 */
struct quantity quantity_percent(double percent);        /* 12.3 % */
struct quantity quantity_ratio(double value);            /* 3.14, 31.4, 314 */
struct quantity quantity_bytes(double bytes);            /* traffic, powers of 1000: 1.50 MB */
struct quantity quantity_kib(double bytes);              /* capacity, powers of 1024: 64 KiB */
struct quantity quantity_rate(double gbs);               /* 31.4 GB/s */
struct quantity quantity_time(double ns);                /* 7.77 us */

#endif
