/* Pieces of an arena: aligned, zeroed, apart from one another, in large and small pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"

enum { PIECES = 400 };

#define MEGABYTE ((size_t)1 << 20)

typedef void *taking(struct arena *arena, size_t count, size_t size);

static size_t bytes_of(uint32_t piece)
{
    static const size_t some[] = {0, 1, 63, 64, 65, 4096, 100001};
    return some[piece % (sizeof some / sizeof some[0])];
}

static void check_piece(const unsigned char *piece, size_t bytes, unsigned char value)
{
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % 64, 0);
    for (size_t i = 0; i < bytes; i++)
        if (piece[i] != value)
            fail_msg("byte %zu of %zu is %u, not %u", i, bytes, piece[i], value);
}

/* Fills each piece with a number of its own, and looks at them when all have been taken. */
static void take_many(struct arena *arena, taking *take)
{
    unsigned char *piece[PIECES];
    for (uint32_t i = 0; i < PIECES; i++) {
        piece[i] = take(arena, bytes_of(i), 1);
        check_piece(piece[i], bytes_of(i), 0);
        memset(piece[i], (unsigned char)(i + 1), bytes_of(i));
    }
    for (uint32_t i = 0; i < PIECES; i++)
        check_piece(piece[i], bytes_of(i), (unsigned char)(i + 1));
}

static void test_pieces(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (uint32_t again = 0; again < 2; again++) {
        take_many(&arena, arena_take);
        take_many(&arena, arena_take_pool);
        arena_free(&arena);
        assert_null(arena.large.chunk);
        assert_null(arena.small.chunk);
    }
    arena_free(&arena);
}

/* No objects, or objects of no size: still a place of its own. */
static void test_sizes_of_zero(void **state)
{
    (void)state;
    struct arena arena = {0};
    void *piece[] = {arena_take(&arena, 0, 8), arena_take(&arena, 8, 0), arena_take(&arena, 0, 0),
                     arena_take(&arena, 1, 1)};
    for (uint32_t i = 0; i < 4; i++) {
        check_piece(piece[i], 0, 0);
        for (uint32_t k = 0; k < i; k++)
            assert_ptr_not_equal(piece[i], piece[k]);
    }
    arena_free(&arena);
}

/* Pieces as large as a chunk, just below and above, and of several; what lies between stays. */
static void test_large_pieces(void **state)
{
    (void)state;
    static const size_t size[] = {16 * MEGABYTE - 128, 16 * MEGABYTE - 64, 16 * MEGABYTE,
                                  16 * MEGABYTE + 64, 70 * MEGABYTE};
    struct arena arena = {0};
    unsigned char *piece[5], *small[5];
    for (uint32_t i = 0; i < 5; i++) {
        small[i] = arena_take(&arena, 3, 5);
        memset(small[i], 9, 15);
        piece[i] = arena_take(&arena, size[i], 1);
        assert_int_equal((uintptr_t)piece[i] % 64, 0);
        assert_int_equal(piece[i][0] + piece[i][size[i] / 2] + piece[i][size[i] - 1], 0);
        memset(piece[i], (unsigned char)(i + 1), size[i]);
    }
    for (uint32_t i = 0; i < 5; i++) {
        check_piece(small[i], 15, 9);
        check_piece(piece[i], 4096, (unsigned char)(i + 1));
        check_piece(piece[i] + size[i] - 4096, 4096, (unsigned char)(i + 1));
    }
    arena_free(&arena);
}

/* More than can be: no wrap-around, and no harm to what has been taken. */
static void test_impossible(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(arena_take(&arena, SIZE_MAX, 1));
    assert_null(arena_take(&arena, SIZE_MAX / 4, 8));
    assert_null(arena_take(&arena, (size_t)1 << 32, (size_t)1 << 32));
    assert_null(arena_take_pool(&arena, SIZE_MAX / 2, 1));
    take_many(&arena, arena_take);
    arena_free(&arena);
}

/* Without address space for another chunk; 0 if all is as it should be. */
static int under_a_limit(void)
{
    struct arena arena = {0};
    const struct rlimit limit = {1, 1};
    unsigned char *first = arena_take(&arena, 100, 1);
    if (!first || setrlimit(RLIMIT_AS, &limit) != 0)
        return 1;
    if (arena_take(&arena, 64 * MEGABYTE, 1) || arena_take_pool(&arena, 1, 1))
        return 2;
    unsigned char *second = arena_take(&arena, 100, 1); /* of the chunk that it has */
    if (!second || second == first)
        return 3;
    first[99] = second[99] = 1;
    arena_free(&arena);
    return arena_take(&arena, 1, 1) ? 4 : 0;
}

static void test_no_memory(void **state)
{
    (void)state;
#ifdef SIMSM_SANITIZED
    skip();
#endif
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(under_a_limit());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),       cmocka_unit_test(test_sizes_of_zero),
        cmocka_unit_test(test_large_pieces), cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
