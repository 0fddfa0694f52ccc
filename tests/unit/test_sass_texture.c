/*
 * Textures and surfaces: what a coordinate becomes, and which texels an instruction reads and
 * writes. Expected values follow from the CUDA C++ Programming Guide, "Texture Fetching".
 */
#include "exec_rig.h"

#include <math.h>

#include "exec/memory/texture.h"
#include "front/front.h"
#include "sample/signature.h"

enum { W = 5, H = 3, LAYERS = 3, PITCH = 128 };

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A line of five floats, of which texel i is i. */
static const float line[W] = {0, 1, 2, 3, 4};

static struct exec_texture line_of_floats(uint8_t beyond, bool normalized)
{
    return (struct exec_texture){.size = {W, 1, 1},
                                 .layers = 1,
                                 .components = 1,
                                 .bits = 32,
                                 .format = TEXTURE_FLOAT,
                                 .beyond = {beyond, beyond, beyond},
                                 .normalized = normalized,
                                 .border = {7, 8, 9, 10}};
}

static float at(const struct exec_texture *texture, float x)
{
    uint32_t value[TEXTURE_COMPONENTS];
    const struct exec_texture_point point = {.position = {x}};
    (void)exec_texture_sample(texture, (const uint8_t *)line, &point, value);
    return as_float(value[0]);
}

/* The nearest texel of a coordinate, inside and far outside. */
static void coordinates_beyond_the_ends(void **state)
{
    (void)state;
    static const struct {
        uint8_t beyond;
        bool normalized;
        float x, value;
    } rows[] = {
        {TEXTURE_CLAMP, false, -1, 0},     {TEXTURE_CLAMP, false, 4.9f, 4},
        {TEXTURE_CLAMP, false, 5, 4},      {TEXTURE_CLAMP, false, 1e30f, 4},
        {TEXTURE_CLAMP, false, -1e30f, 0}, {TEXTURE_BORDER, false, -0.1f, 7},
        {TEXTURE_BORDER, false, 5, 7},     {TEXTURE_BORDER, false, 4.9f, 4},
        {TEXTURE_WRAP, true, 1.3f, 1},     {TEXTURE_WRAP, true, -0.1f, 4},
        {TEXTURE_WRAP, true, -7.3f, 3},    {TEXTURE_MIRROR, true, 1.1f, 4},
        {TEXTURE_MIRROR, true, 2.3f, 1},   {TEXTURE_MIRROR, true, -0.3f, 1},
        {TEXTURE_WRAP, false, 6, 4}, /* as clamp: not normalized */
        {TEXTURE_MIRROR, false, 6, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct exec_texture texture = line_of_floats(rows[i].beyond, rows[i].normalized);
        if (at(&texture, rows[i].x) != rows[i].value)
            fail_msg("row %zu: %g at %g", i, (double)at(&texture, rows[i].x), (double)rows[i].x);
    }
    const struct exec_texture wrapped = line_of_floats(TEXTURE_WRAP, true);
    assert_float_equal(at(&wrapped, NAN), 0, 0); /* the first, and nothing outside */
}

/* Weights have eight bits behind the point, rounded. */
static void weights_are_coarse(void **state)
{
    (void)state;
    struct exec_texture texture = line_of_floats(TEXTURE_CLAMP, false);
    texture.linear = true;
    assert_float_equal(at(&texture, 1.501f), 1 + 0 / 256.f, 0);
    assert_float_equal(at(&texture, 1.503f), 1 + 1 / 256.f, 0);
    assert_float_equal(at(&texture, 2.25f), 1.75f, 0);
}

static const uint32_t *fetched(const struct exec_texture *texture, const void *texels,
                               const struct exec_texture_point *point)
{
    static uint32_t value[TEXTURE_COMPONENTS];
    (void)exec_texture_fetch(texture, texels, point, value);
    return value;
}

static void formats(void **state)
{
    (void)state;
    static const struct {
        uint8_t bits, format;
        bool fraction;
        uint32_t raw, integer; /* integer: what registers get, where value is 0 */
        float value;
    } rows[] = {
        {8, TEXTURE_SIGNED, false, 0xFB, 0xFFFFFFFB, 0},
        {16, TEXTURE_SIGNED, false, 0x8000, 0xFFFF8000, 0},
        {8, TEXTURE_UNSIGNED, false, 0xFB, 0xFB, 0},
        {16, TEXTURE_FLOAT, false, 0xC100, 0, -2.5f},
        {8, TEXTURE_SIGNED, true, 0x80, 0, -1},
        {8, TEXTURE_SIGNED, true, 0x81, 0, -1},
        {8, TEXTURE_SIGNED, true, 0x7F, 0, 1},
        {16, TEXTURE_SIGNED, true, 0x8000, 0, -1},
        {16, TEXTURE_UNSIGNED, true, 0xFFFF, 0, 1},
        {8, TEXTURE_UNSIGNED, true, 51, 0, 0.2f},
    };
    const struct exec_texture_point first = {.layer = 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct exec_texture texture = line_of_floats(TEXTURE_CLAMP, false);
        texture.size[0] = 1;
        texture.bits = rows[i].bits;
        texture.format = rows[i].format;
        texture.fraction = rows[i].fraction;
        const uint32_t *value = fetched(&texture, &rows[i].raw, &first);
        if (rows[i].value != 0 ? as_float(value[0]) != rows[i].value : value[0] != rows[i].integer)
            fail_msg("row %zu: %#x", i, value[0]);
        assert_int_equal(value[1], 0); /* a component that it has not */
    }
}

/* Each component has a border of its own. */
static void borders_have_components(void **state)
{
    (void)state;
    struct exec_texture texture = line_of_floats(TEXTURE_BORDER, false);
    const struct exec_texture_point outside = {.position = {-3}};
    uint32_t value[TEXTURE_COMPONENTS];
    texture.components = 2;
    (void)exec_texture_sample(&texture, (const uint8_t *)line, &outside, value);
    assert_float_equal(as_float(value[0]), 7, 0);
    assert_float_equal(as_float(value[1]), 8, 0);
    assert_int_equal(value[2], 0);
}

/* Bytes up to the last texel; a number outside reads 0; a layer behind the last is the last. */
static void texels_by_number(void **state)
{
    (void)state;
    static uint8_t texels[LAYERS][H][PITCH];
    struct exec_texture texture = line_of_floats(TEXTURE_CLAMP, false);
    texture.size[1] = H;
    texture.layers = LAYERS;
    texture.pitch = PITCH;
    texture.layer = sizeof texels[0];
    assert_int_equal(exec_texture_bytes(&texture), 2 * H * PITCH + 2 * PITCH + W * 4);
    for (uint32_t l = 0; l < LAYERS; l++)
        for (uint32_t y = 0; y < H; y++)
            for (uint32_t x = 0; x < W; x++)
                memcpy(&texels[l][y][4 * x], &(uint32_t){100 * l + 10 * y + x + 1}, 4);
    const struct {
        int32_t x, y;
        uint32_t layer, value;
    } rows[] = {{4, 2, 1, 125}, {0, 0, 0, 1},  {5, 0, 0, 0},  {-1, 0, 0, 0},
                {0, 3, 0, 0},   {0, -1, 2, 0}, {2, 1, 7, 213}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct exec_texture_point point = {.texel = {rows[i].x, rows[i].y},
                                                 .layer = rows[i].layer};
        assert_int_equal(fetched(&texture, texels, &point)[0], rows[i].value);
    }
    const struct exec_texture_point last = {.texel = {4, 2}, .layer = 2};
    uint32_t value[TEXTURE_COMPONENTS];
    assert_int_equal(exec_texture_fetch(&texture, texels[0][0], &last, value) + 4,
                     exec_texture_bytes(&texture));
}

/* By the larger component and its sign, as the guide's table of cubemaps has it. */
static void faces_of_a_cube(void **state)
{
    (void)state;
    static const struct {
        float direction[3];
        uint32_t face;
        float s, t;
    } rows[] = {
        {{2, 0.5f, 1}, 0, -1, -0.5f}, {{-2, 0.5f, 1}, 1, 1, -0.5f}, {{0.5f, 2, 1}, 2, 0.5f, 1},
        {{0.5f, -2, 1}, 3, 0.5f, -1}, {{0.5f, 1, 2}, 4, 0.5f, -1},  {{0.5f, 1, -2}, 5, -0.5f, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct exec_texture_point point = {.layer = 2};
        memcpy(point.position, rows[i].direction, sizeof point.position);
        exec_texture_face(&point);
        assert_int_equal(point.layer, 2 * 6 + rows[i].face);
        assert_float_equal(point.position[0], (rows[i].s / 2 + 1) / 2, 1e-6);
        assert_float_equal(point.position[1], (rows[i].t / 2 + 1) / 2, 1e-6);
    }
}

/* ---- Instructions ---- */

static const uint32_t architectures[] = {75, 90};

/* The texture object 1 of kernels: `texels` in device memory, whose host address is *host. */
static struct exec_texture object_of(struct rig *rig, struct exec_texture texture, void *host)
{
    texture.address = rig_buffer(rig, "texels", (size_t)exec_texture_bytes(&texture), host);
    return texture;
}

static void run_with(struct rig *rig, struct exec_texture *texture, const char *kernel,
                     uint32_t blocks, uint32_t slices, uint32_t threads, const uint64_t *arguments)
{
    const struct exec_textures table = {texture, 1};
    struct exec_launch launch;
    uint8_t params[256] = {0};
    rig_prepare(rig, &launch, params, kernel, blocks, threads, arguments);
    launch.launch.grid[1] = slices;
    launch.options.textures = &table;
    if (exec_run(&launch, &rig->counts, &rig->error) != SIMSM_OK)
        fail_msg("sm_%u: %s: %s", rig->sm, kernel, rig->error.message);
}

static struct exec_texture surface_of(uint32_t width, uint32_t height, uint32_t depth,
                                      uint32_t layers, uint8_t bits)
{
    return (struct exec_texture){.size = {width, height, depth},
                                 .layers = layers,
                                 .pitch = PITCH,
                                 .layer = (uint64_t)PITCH * height,
                                 .components = 1,
                                 .bits = bits,
                                 .format = TEXTURE_UNSIGNED,
                                 .surface = true};
}

/* A row above itself and a slice further, or the last ones that there are. */
static void slices_of_surfaces(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        struct rig rig;
        uint8_t *texels;
        uint32_t *out;
        rig_open_code(&rig, "textures", architectures[a]);
        struct exec_texture volume = object_of(&rig, surface_of(W, H, LAYERS, 1, 32), &texels);
        const uint64_t result = rig_buffer(&rig, "out", sizeof *out * W * H * LAYERS, &out);
        for (uint32_t row = 0; row < H * LAYERS; row++)
            for (uint32_t x = 0; x < W; x++)
                memcpy(texels + row * PITCH + 4 * x, &(uint32_t){10 * row + x}, 4);
        run_with(&rig, &volume, "surface_volume", H, LAYERS, W, (const uint64_t[]){result, 1});
        for (uint32_t z = 0; z < LAYERS; z++)
            for (uint32_t y = 0; y < H; y++)
                for (uint32_t x = 0; x < W; x++) {
                    const uint32_t row = (z + 1 < LAYERS ? z + 1 : z) * H + (y ? y - 1 : 0);
                    assert_int_equal(out[(z * H + y) * W + x], 10 * row + x);
                }
        struct exec_texture rows = object_of(&rig, surface_of(W, 1, 1, LAYERS, 32), &texels);
        for (uint32_t layer = 0; layer < LAYERS; layer++)
            for (uint32_t x = 0; x < W; x++)
                memcpy(texels + layer * PITCH + 4 * x, &(uint32_t){7 * layer + x}, 4);
        run_with(&rig, &rows, "surface_rows", LAYERS, 1, W, (const uint64_t[]){result, 1});
        for (uint32_t i = 0; i < LAYERS * W; i++)
            assert_int_equal(out[i], 7 * (i / W) + i % W);
        rig_close(&rig);
    }
}

/* Lanes outside write nothing, the others two bytes each. */
static void edges_of_surfaces(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        struct rig rig;
        uint16_t *texels;
        rig_open_code(&rig, "textures", architectures[a]);
        struct exec_texture surface = object_of(&rig, surface_of(W, 1, 1, 1, 16), &texels);
        memset(texels, 0xFF, W * sizeof *texels);
        run_with(&rig, &surface, "surface_edges", 1, 1, W + 4, (const uint64_t[]){1});
        for (uint16_t x = 0; x < W; x++)
            assert_int_equal(texels[x], x + 2);
        rig_close(&rig);
    }
}

static void components_and_worlds(void **state)
{
    (void)state;
    enum { SIDE = 2, WORLDS = 2 };
    for (size_t a = 0; a < 2; a++) {
        struct rig rig;
        float *texels, *out;
        rig_open_code(&rig, "textures", architectures[a]);
        const uint64_t result = rig_buffer(&rig, "out", 4096, &out);
        struct exec_texture four = line_of_floats(TEXTURE_CLAMP, false);
        four.components = 4;
        four.size[1] = 2;
        four.pitch = PITCH;
        four = object_of(&rig, four, &texels);
        for (uint32_t i = 0; i < 4 * W; i++)
            texels[i] = texels[PITCH / 4 + i] = (float)i;
        run_with(&rig, &four, "texture_third", 1, 1, W - 1, (const uint64_t[]){result, 1});
        for (int i = 0; i < W - 1; i++) /* (0, 1) and (1, 1), the lower row first */
            assert_true(out[4 * i] == (float)(4 * i + 2) && out[4 * i + 1] == (float)(4 * i + 6));
        struct exec_texture cube = line_of_floats(TEXTURE_CLAMP, true);
        cube.size[0] = cube.size[1] = SIDE;
        cube.pitch = PITCH;
        cube.layer = SIDE * PITCH;
        cube.layers = 6 * WORLDS;
        cube = object_of(&rig, cube, &texels);
        for (uint32_t i = 0; i < 6 * WORLDS * SIDE * PITCH / 4 - (PITCH / 4 - SIDE); i++)
            texels[i] = (float)(i / (SIDE * PITCH / 4));
        run_with(&rig, &cube, "texture_worlds", WORLDS, 1, 2, (const uint64_t[]){result, 1});
        const float expected[] = {4, 5, 10, 11};
        assert_memory_equal(out, expected, sizeof expected);
        rig_close(&rig);
    }
}

/* Lanes have the addresses of their own texels, for the caches. */
static void texels_have_addresses(void **state)
{
    (void)state;
    struct rig rig;
    float *texels, *out;
    struct front *front;
    struct exec_launch launch;
    struct sample_signature signature;
    struct sample_profile profile;
    uint8_t params[256] = {0};
    enum { THREADS = 32, STEP_BYTES = 4 };
    rig_open_code(&rig, "textures", 75);
    const uint64_t result = rig_buffer(&rig, "out", 4096, &out);
    struct exec_texture texture = line_of_floats(TEXTURE_CLAMP, false);
    texture.size[0] = THREADS;
    texture = object_of(&rig, texture, &texels);
    const struct exec_textures table = {&texture, 1};
    rig_prepare(&rig, &launch, params, "texture_line", 1, THREADS, (const uint64_t[]){result, 1});
    launch.options.textures = &table;
    assert_int_equal(exec_front_open(&front, &launch, &rig.error), SIMSM_OK);
    assert_int_equal(sample_sign(front, &signature, &profile, &rig.error), SIMSM_OK);
    front_close(front);
    /* 32 lanes that read 4 bytes each, and write as many. */
    assert_float_equal(signature.feature[FEATURE_SECTORS], 2 * THREADS * STEP_BYTES / 32, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_beyond_the_ends),
        cmocka_unit_test(weights_are_coarse),
        cmocka_unit_test(formats),
        cmocka_unit_test(borders_have_components),
        cmocka_unit_test(texels_by_number),
        cmocka_unit_test(faces_of_a_cube),
        cmocka_unit_test(slices_of_surfaces),
        cmocka_unit_test(edges_of_surfaces),
        cmocka_unit_test(components_and_worlds),
        cmocka_unit_test(texels_have_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
