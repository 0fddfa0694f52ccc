/*
 * Five hundred operations, each on 8192 sets of operands, against what an H200 computed, bit for
 * bit. tests/data/sass/alu has the program and a hash of the results of each operation.
 */
#include "exec_rig.h"

enum { SETS = 8192, THREADS = 128, MOST_OPERATIONS = 200 };

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 30;
}

/* Words whose edges matter as integers, halves, floats, or the high words of doubles. */
static const uint32_t edges[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fffffff, 0x7fc00001, 0xffc12345,
    0x7f800001, 0x3f000000, 0xbf000000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x00000020,
    0x0000001f, 0x3c003c00, 0xfc007c00, 0x7e01fe01, 0x04000001, 0x83ff0001, 0x7bff7bff, 0x43300000,
    0x3ff00000, 0xbff00000, 0x7ff00000, 0xfff80000, 0x00100000, 0x000fffff, 0x40490fdb, 0x42ff0000,
    0xc3160000, 0x80008000, 0xffffffff, 0x0000ffff, 0x477fe000, 0x38800000, 0x33000000, 0xb3000001};

enum { EDGES = sizeof edges / sizeof *edges };

/* Every pair of edges as A and B, with some edge as C. */
static uint64_t edge_operand(unsigned which, unsigned i, uint64_t random)
{
    const unsigned index[3] = {i / EDGES, i % EDGES, (i * 7 + 3) % EDGES};
    const uint64_t word = edges[index[which]];
    const uint64_t both = word << 32 | word;
    return (random & 7) == 0 ? both & UINT64_C(0xffffffff00000000) : both;
}

/* The rest: any bits; floats and doubles of like sizes; integers of all sizes. */
static uint64_t operand(unsigned which, unsigned i)
{
    const uint64_t r = mix((uint64_t)i * 3 + which + 12345), s = mix(r ^ 77);
    if (i < EDGES * EDGES)
        return edge_operand(which, i, s);
    if (i % 2)
        return r;
    if (i % 16 == 0)
        return r >> (s % 64);
    const uint32_t single = ((uint32_t)r & 0x807fffff) | (uint32_t)(120 + s % 16) << 23;
    const uint32_t high = ((uint32_t)(r >> 32) & 0x800fffff) | (uint32_t)(1015 + s % 20) << 20;
    return (uint64_t)high << 32 | single;
}

static uint64_t hash_of(const uint64_t *result)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < SETS; i++) {
        hash = (hash ^ result[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

static void open_operations(struct rig *rig)
{
    const char *path = "tests/data/sass/alu/operations.sm_90.cubin";
    *rig = (struct rig){.sm = 90};
    assert_int_equal(simsm_config_load(&rig->config, "h200", &rig->error), SIMSM_OK);
    assert_int_equal(sass_file_open(&rig->file, path, &rig->error), SIMSM_OK);
    const struct sass_image *image = sass_file_pick(&rig->file, 90);
    assert_non_null(image);
    assert_int_equal(sass_module_open(&rig->module, image->data, image->size, path, &rig->error),
                     SIMSM_OK);
    assert_int_equal(device_memory_create(&rig->memory, UINT64_C(64) << 20, &rig->error), SIMSM_OK);
    assert_int_equal(exec_module_load(&rig->loaded, rig->module, rig->memory, &rig->error),
                     SIMSM_OK);
}

/* Compares the results of one kernel with the next `count` lines; the number that differ. */
static unsigned compare(FILE *results, unsigned count, const char *kernel, const uint64_t *computed)
{
    unsigned differ = 0;
    for (unsigned k = 0; k < count; k++) {
        char name[64];
        unsigned long long measured;
        assert_int_equal(fscanf(results, "%63s %llx", name, &measured), 2);
        if (hash_of(computed + (size_t)k * SETS) == measured)
            continue;
        print_error("%s, %s: differs from the hardware\n", kernel, name);
        differ++;
    }
    return differ;
}

static void operations(void **state)
{
    (void)state;
    struct rig rig;
    uint64_t *host[4], address[4];
    unsigned count, differ = 0, kernels = 0;
    char kernel[64];
    open_operations(&rig);
    for (unsigned k = 0; k < 4; k++) {
        const size_t words = k < 3 ? SETS : (size_t)SETS * MOST_OPERATIONS;
        address[k] = rig_buffer(&rig, "operands", words * sizeof *host[0], &host[k]);
        for (unsigned i = 0; k < 3 && i < SETS; i++)
            host[k][i] = operand(k, i);
    }
    FILE *results = fopen("tests/data/sass/alu/results.txt", "r");
    assert_non_null(results);
    while (fscanf(results, "%63s %u", kernel, &count) == 2) {
        assert_true(count <= MOST_OPERATIONS);
        rig_must(&rig, kernel, SETS / THREADS, THREADS, address);
        differ += compare(results, count, kernel, host[3]);
        kernels++;
    }
    (void)fclose(results);
    rig_close(&rig);
    assert_int_equal(kernels, 9);
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
