/* Arrays, textures and surfaces: what kernels of the runtime read through them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/driver/driver_abi.h"
#include "cuda_fixture.h"
#include "exec/memory/texture.h"

enum cuda_error cudaMallocArray(void **array, const struct cuda_channel *channel, size_t width,
                                size_t height, unsigned flags);
enum cuda_error cudaMalloc3DArray(void **array, const struct cuda_channel *channel,
                                  struct cuda_extent extent, unsigned flags);
enum cuda_error cudaFreeArray(void *array);
enum cuda_error cudaDeviceReset(void);
enum cuda_error cudaArrayGetInfo(struct cuda_channel *channel, struct cuda_extent *extent,
                                 unsigned *flags, void *array);
enum cuda_error cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *src,
                                    size_t src_pitch, size_t width, size_t height, int kind);
enum cuda_error cudaMemcpy2DFromArray(void *dst, size_t dst_pitch, const void *array, size_t x,
                                      size_t y, size_t width, size_t height, int kind);
enum cuda_error cudaMemcpyToArray(void *array, size_t x, size_t y, const void *src, size_t bytes,
                                  int kind);
enum cuda_error cudaMemcpy3D(const struct cuda_copy_3d *request);
enum cuda_error cudaCreateTextureObject(uint64_t *object, const struct cuda_resource *resource,
                                        const struct cuda_texture *texture, const void *view);
enum cuda_error cudaDestroyTextureObject(uint64_t object);
enum cuda_error cudaCreateSurfaceObject(uint64_t *object, const struct cuda_resource *resource);
enum cuda_error cudaDestroySurfaceObject(uint64_t object);
int cuTexObjectCreate(uint64_t *object, const struct driver_resource *resource,
                      const struct driver_texture *texture, const void *view);
int cuTexObjectGetResourceDesc(struct driver_resource *resource, uint64_t object);
int cuTexObjectGetTextureDesc(struct driver_texture *texture, uint64_t object);
int cuTexObjectGetResourceViewDesc(void *view, uint64_t object);
int cuSurfObjectGetResourceDesc(struct driver_resource *resource, uint64_t object);

enum { W = 20, H = 6, D = 3, CUBEMAP = 4, LAYERED = 1, FLAT = 0 };

static const char *const names[] = {
    "texture_line",    "texture_curve",   "texture_plane",  "texture_four",  "texture_bytes",
    "texture_signed",  "texture_volume",  "texture_layers", "texture_faces", "texture_corners",
    "surface_doubled", "surface_counted", "surface_beyond", "surface_trap"};
static char stubs[sizeof names / sizeof *names];
static const struct cuda_channel floats = {{32, 0, 0, 0}, TEXTURE_FLOAT};
static struct test_fatbin fatbin;
static void **handle;
static float *out;
static float source[W * H * D];

static int begin_with(const char *variable, const char *value, const char *config,
                      const char *cubin, uint32_t sm)
{
    program_begin(config, variable, value);
    if (!fatbin_make(&fatbin, cubin, sm))
        return -1;
    handle = __cudaRegisterFatBinary(&fatbin);
    for (size_t i = 0; i < sizeof stubs; i++)
        __cudaRegisterFunction(handle, &stubs[i], NULL, names[i], -1, NULL, NULL, NULL, NULL, NULL);
    for (int i = 0; i < W * H * D; i++)
        source[i] = (float)(i * 37 % 101);
    return cudaMalloc((void **)&out, 16 * sizeof source) == CUDA_SUCCESS ? 0 : -1;
}

static int begin_on(const char *config, const char *cubin, uint32_t sm)
{
    return begin_with("SIMSM_SET", "gpu.sms=2", config, cubin, sm);
}

static int begin_75(void **state)
{
    (void)state;
    return begin_on("configs/t4.yaml", "tests/data/sass/execute/textures.sm_75.cubin", 75);
}

static int begin_90(void **state)
{
    (void)state;
    return begin_on("configs/h200.yaml", "tests/data/sass/execute/textures.sm_90.cubin", 90);
}

static int finish(void **state)
{
    (void)state;
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
    return 0;
}

static enum cuda_error launch(const char *name, uint32_t blocks, uint32_t slices, uint32_t threads,
                              void **arguments)
{
    for (size_t i = 0; i < sizeof stubs; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        enum cuda_error error =
            cudaLaunchKernel(&stubs[i], (struct cuda_dim3){blocks, slices, 1},
                             (struct cuda_dim3){threads, 1, 1}, arguments, 0, NULL);
        return error == CUDA_SUCCESS ? cudaDeviceSynchronize() : error;
    }
    fail_msg("there is no kernel %s", name);
    return CUDA_INVALID_VALUE;
}

/* Runs a kernel of (out, texture) and gives the floats that it has written. */
static const float *read_by(const char *name, uint64_t texture, uint32_t blocks, uint32_t slices,
                            uint32_t threads)
{
    static float result[4 * W * H * D];
    void *arguments[] = {&out, &texture};
    assert_int_equal(launch(name, blocks, slices, threads, arguments), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(result, out, sizeof result, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    return result;
}

static uint64_t texture_of(void *array, const struct cuda_texture *description)
{
    const struct cuda_resource resource = {.type = RESOURCE_ARRAY, .as.array = array};
    uint64_t texture = 0;
    assert_int_equal(cudaCreateTextureObject(&texture, &resource, description, NULL), CUDA_SUCCESS);
    return texture;
}

static const struct cuda_texture plain = {.beyond = {TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP}};
static const struct cuda_texture smooth = {.beyond = {TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP},
                                           .linear = 1};

static void *plane(void)
{
    void *array = NULL;
    assert_int_equal(cudaMallocArray(&array, &floats, W, H, 0), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy2DToArray(array, 0, 0, source, W * sizeof *source,
                                         W * sizeof *source, H, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    return array;
}

static void memory_is_a_line(void **state)
{
    (void)state;
    float *memory;
    uint64_t texture;
    assert_int_equal(cudaMalloc((void **)&memory, W * sizeof *memory), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(memory, source, W * sizeof *memory, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    const struct cuda_resource resource = {.type = RESOURCE_LINEAR,
                                           .as.memory = {memory, floats, W * sizeof *memory, 0, 0}};
    assert_int_equal(cudaCreateTextureObject(&texture, &resource, &plain, NULL), CUDA_SUCCESS);
    const float *got = read_by("texture_line", texture, 1, 1, W + 2);
    assert_memory_equal(got, source, W * sizeof *got);
    assert_float_equal(got[W], 0, 0);
    assert_float_equal(got[W + 1], 0, 0);
    assert_int_equal(cudaDestroyTextureObject(texture), CUDA_SUCCESS);
    assert_int_equal(cudaDestroyTextureObject(texture), CUDA_INVALID_VALUE);
}

/* Texel `at` of the first row, with the address mode. */
static float in_row(int at, int beyond)
{
    if (beyond == TEXTURE_BORDER && (at < 0 || at >= W))
        return 7;
    if (beyond == TEXTURE_CLAMP)
        return source[at < 0 ? 0 : at >= W ? W - 1 : at];
    if (beyond == TEXTURE_WRAP)
        return source[(at + W) % W];
    return source[at < 0 ? -1 - at : at >= W ? 2 * W - 1 - at : at];
}

/* On the line from before the first to behind the last texel. */
static void all_addresses_are_filtered(void **state)
{
    (void)state;
    void *array = NULL;
    assert_int_equal(cudaMallocArray(&array, &floats, W, 0, 0), CUDA_SUCCESS);
    assert_int_equal(
        cudaMemcpyToArray(array, 0, 0, source, W * sizeof *source, COPY_HOST_TO_DEVICE),
        CUDA_SUCCESS);
    for (int beyond = TEXTURE_WRAP; beyond <= TEXTURE_BORDER; beyond++) {
        const struct cuda_texture description = {.beyond = {beyond, beyond, beyond},
                                                 .linear = 1,
                                                 .border = {7, 7, 7, 7},
                                                 .normalized = 1};
        uint64_t texture = texture_of(array, &description);
        enum { POINTS = 96 }; /* a quarter of a texel apart */
        float step = 0.25f / W, got[POINTS];
        void *arguments[] = {&out, &texture, &step};
        assert_int_equal(launch("texture_curve", 1, 1, POINTS, arguments), CUDA_SUCCESS);
        assert_int_equal(cudaMemcpy(got, out, sizeof got, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
        for (int i = 0; i < POINTS; i++) {
            const float at = (float)i * 0.25f - 0.5f;
            const int first = (int)floorf(at);
            const float weight = at - (float)first;
            const float expected =
                (1 - weight) * in_row(first, beyond) + weight * in_row(first + 1, beyond);
            if (fabsf(got[i] - expected) > 1e-4f)
                fail_msg("mode %d, point %d: %g, not %g", beyond, i, (double)got[i],
                         (double)expected);
        }
    }
}

static void planes_are_read(void **state)
{
    (void)state;
    void *array = plane();
    uint64_t texture = texture_of(array, &smooth);
    float begin = 1, step = 1; /* between four texels */
    void *arguments[] = {&out, &texture, &step, &begin};
    float got[(H - 1) * (W - 1)];
    assert_int_equal(launch("texture_plane", H - 1, 1, W - 1, arguments), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(got, out, sizeof got, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    for (int y = 0; y < H - 1; y++) {
        for (int x = 0; x < W - 1; x++) {
            const float *at = &source[y * W + x];
            assert_float_equal(got[y * (W - 1) + x], (at[0] + at[1] + at[W] + at[W + 1]) / 4, 1e-4);
        }
    }
    const float *corners = read_by("texture_corners", texture_of(array, &plain), 1, 1, W - 1);
    for (int x = 0; x < W - 1; x++) {
        const float expected[] = {source[W + x], source[W + x + 1], source[x + 1], source[x]};
        assert_memory_equal(&corners[4 * x], expected, sizeof expected);
    }
    assert_int_equal(cudaFreeArray(array), CUDA_SUCCESS);
    assert_int_equal(cudaFreeArray(array), CUDA_INVALID_RESOURCE_HANDLE);
}

static void integers_are_read(void **state)
{
    (void)state;
    static const struct cuda_channel bytes = {{8, 8, 8, 8}, TEXTURE_UNSIGNED};
    static const struct cuda_channel shorts = {{16, 16, 0, 0}, TEXTURE_SIGNED};
    uint8_t in[H][W][4];
    int16_t numbers[W][2];
    void *array = NULL;
    for (int i = 0; i < H * W * 4; i++)
        in[i / 4 / W][i / 4 % W][i % 4] = (uint8_t)(i * 11);
    for (int i = 0; i < W * 2; i++)
        numbers[i / 2][i % 2] = (int16_t)(i * 1000 - 20000);
    assert_int_equal(cudaMallocArray(&array, &bytes, W, H, 0), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpyToArray(array, 0, 0, in, sizeof in, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    assert_memory_equal(read_by("texture_bytes", texture_of(array, &plain), H, 1, W), in,
                        sizeof in);
    struct cuda_texture fraction = plain;
    fraction.fraction = 1;
    const float *got = read_by("texture_four", texture_of(array, &fraction), H, 1, W);
    for (int i = 0; i < H * W * 4; i++)
        assert_float_equal(got[i], (float)in[i / 4 / W][i / 4 % W][i % 4] / 255, 1e-6);
    assert_int_equal(cudaMallocArray(&array, &shorts, W, 0, 0), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    assert_memory_equal(read_by("texture_signed", texture_of(array, &plain), 1, 1, W), numbers,
                        sizeof numbers);
    uint64_t texture;
    const struct cuda_resource resource = {.type = RESOURCE_ARRAY, .as.array = array};
    assert_int_equal(cudaCreateTextureObject(&texture, &resource, &smooth, NULL),
                     CUDA_INVALID_VALUE);
}

static void *solid(unsigned flags, size_t width, size_t height, size_t depth, const float *from)
{
    void *array = NULL;
    const struct cuda_extent extent = {width, height, depth};
    assert_int_equal(cudaMalloc3DArray(&array, &floats, extent, flags), CUDA_SUCCESS);
    const struct cuda_copy_3d copy = {
        .src = {(void *)(uintptr_t)from, width * sizeof *from, width, height},
        .dst_array = array,
        .extent = extent,
        .kind = COPY_HOST_TO_DEVICE};
    assert_int_equal(cudaMemcpy3D(&copy), CUDA_SUCCESS);
    return array;
}

static void slices_layers_and_faces(void **state)
{
    (void)state;
    uint64_t texture = texture_of(solid(FLAT, W, H, D, source), &smooth);
    assert_memory_equal(read_by("texture_volume", texture, H, D, W), source, sizeof source);
    texture = texture_of(solid(LAYERED, W, H, D, source), &smooth);
    assert_memory_equal(read_by("texture_layers", texture, H, D, W), source, sizeof source);
    float faces[6][16];
    for (int i = 0; i < 6 * 16; i++)
        faces[i / 16][i % 16] = (float)(i / 16);
    struct cuda_texture normalized = smooth;
    normalized.normalized = 1;
    texture = texture_of(solid(CUBEMAP, 4, 4, 6, faces[0]), &normalized);
    const float *got = read_by("texture_faces", texture, 1, 1, 6);
    for (int i = 0; i < 6; i++)
        assert_float_equal(got[i], (float)i, 1e-6);
}

static uint64_t surface_of(void *array)
{
    const struct cuda_resource resource = {.type = RESOURCE_ARRAY, .as.array = array};
    uint64_t surface = 0;
    assert_int_equal(cudaCreateSurfaceObject(&surface, &resource), CUDA_SUCCESS);
    return surface;
}

static void surfaces_are_read_and_written(void **state)
{
    (void)state;
    void *array = plane();
    uint64_t surface = surface_of(array);
    void *arguments[] = {&surface};
    float got[H * W];
    assert_int_equal(launch("surface_doubled", H, 1, W, arguments), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy2DFromArray(got, W * sizeof *got, array, 0, 0, W * sizeof *got, H,
                                           COPY_DEVICE_TO_HOST),
                     CUDA_SUCCESS);
    for (int i = 0; i < H * W; i++)
        assert_float_equal(got[i], 2 * source[i], 0);
    assert_int_equal(launch("surface_counted", H, 1, W, arguments), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy2DFromArray(got, W * sizeof *got, array, 0, 0, W * sizeof *got, H,
                                           COPY_DEVICE_TO_HOST),
                     CUDA_SUCCESS);
    for (int i = 0; i < H * W; i++)
        assert_float_equal(got[i], 2 * source[i] + 4, 0);
    const float *beyond = read_by("surface_beyond", surface, 1, 1, W + 4);
    for (int i = 0; i < W + 4; i++) {
        const int x = i - 2, nearest = x < 0 ? 0 : x >= W ? W - 1 : x;
        const float there = x == nearest ? 2 * source[x] + 4 : 0;
        assert_float_equal(beyond[i], there, 0);
        assert_float_equal(beyond[W + 4 + i], 2 * source[nearest] + 4, 0);
    }
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    void *array = plane();
    struct cuda_extent extent;
    const struct cuda_channel three = {{8, 8, 8, 0}, TEXTURE_UNSIGNED};
    assert_int_equal(cudaArrayGetInfo(NULL, &extent, NULL, array), CUDA_SUCCESS);
    assert_int_equal(extent.width, W);
    assert_int_equal(cudaMemcpyToArray(array, 0, H, source, 4, COPY_HOST_TO_DEVICE),
                     CUDA_INVALID_VALUE);
    assert_int_equal(cudaMemcpy2DToArray(array, 4, 0, source, W * 4, W * 4, 1, COPY_HOST_TO_DEVICE),
                     CUDA_INVALID_VALUE);
    void *other = NULL;
    assert_int_equal(cudaMallocArray(&other, &three, W, H, 0), CUDA_INVALID_CHANNEL_DESCRIPTOR);
    assert_null(other);
    uint64_t surface = surface_of(array);
    void *arguments[] = {&out, &surface};
    assert_int_equal(launch("texture_line", 1, 1, 1, arguments), CUDA_ILLEGAL_ADDRESS);
}

static void outside_of_a_surface(void **state)
{
    (void)state;
    uint64_t surface = surface_of(plane());
    void *arguments[] = {&out, &surface};
    assert_int_equal(launch("surface_trap", 1, 1, W, arguments), CUDA_SUCCESS);
    assert_int_equal(launch("surface_trap", 1, 1, W + 1, arguments), CUDA_ILLEGAL_ADDRESS);
}

/* Memory with rows apart; two objects at a time; one whose memory has been freed. */
static void objects_of_memory(void **state)
{
    (void)state;
    enum { PITCH = 256 };
    char *memory;
    assert_int_equal(cudaMalloc((void **)&memory, H * PITCH), CUDA_SUCCESS);
    for (int y = 0; y < H; y++)
        assert_int_equal(cudaMemcpy(memory + (size_t)y * PITCH, source + (ptrdiff_t)y * W, W * 4,
                                    COPY_HOST_TO_DEVICE),
                         CUDA_SUCCESS);
    struct cuda_resource rows = {.type = RESOURCE_PITCH_2D,
                                 .as.memory = {memory, floats, W, H, PITCH}};
    void *array = plane();
    uint64_t of_rows, of_array = texture_of(array, &smooth);
    assert_int_equal(cudaCreateTextureObject(&of_rows, &rows, &smooth, NULL), CUDA_SUCCESS);
    assert_int_not_equal(of_rows, of_array);
    float begin = 0.5f, step = 1, got[2][H * W];
    for (int i = 0; i < 2; i++) {
        void *arguments[] = {&out, i ? &of_array : &of_rows, &step, &begin};
        assert_int_equal(launch("texture_plane", H, 1, W, arguments), CUDA_SUCCESS);
        assert_int_equal(cudaMemcpy(got[i], out, sizeof got[i], COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
        assert_memory_equal(got[i], source, sizeof got[i]);
    }
    assert_int_equal(cudaFreeArray(array), CUDA_SUCCESS);
    void *arguments[] = {&out, &of_array, &step, &begin};
    assert_int_equal(launch("texture_plane", H, 1, W, arguments), CUDA_ILLEGAL_ADDRESS);
}

static void bad_objects_are_refused(void **state)
{
    (void)state;
    static const struct cuda_channel wrong[] = {{{64, 0, 0, 0}, TEXTURE_UNSIGNED},
                                                {{8, 8, 0, 8}, TEXTURE_UNSIGNED},
                                                {{8, 16, 0, 0}, TEXTURE_UNSIGNED},
                                                {{8, 0, 0, 0}, TEXTURE_FLOAT + 1}};
    static const struct cuda_channel integers = {{32, 0, 0, 0}, TEXTURE_SIGNED};
    void *array = NULL;
    char *memory;
    uint64_t object;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(cudaMallocArray(&array, &wrong[i], W, 0, 0),
                         CUDA_INVALID_CHANNEL_DESCRIPTOR);
    assert_int_equal(cudaMallocArray(&array, &floats, (size_t)1 << 40, 0, 0), CUDA_INVALID_VALUE);
    const struct cuda_extent huge = {(1u << 28) - 1, 1u << 27, 1u << 27}; /* 2^84 bytes */
    assert_int_equal(cudaMalloc3DArray(&array, &floats, huge, 0), CUDA_MEMORY_ALLOCATION);
    assert_int_equal(cudaMalloc((void **)&memory, 1024), CUDA_SUCCESS);
    const struct cuda_resource line = {RESOURCE_LINEAR,
                                       .as.memory = {memory, integers, 1024, 0, 0}};
    struct cuda_resource other = line;
    /* Plain memory is not filtered, so integer textures are allowed. */
    assert_int_equal(cudaCreateTextureObject(&object, &line, &smooth, NULL), CUDA_SUCCESS);
    assert_int_equal(cudaDestroySurfaceObject(object), CUDA_INVALID_VALUE);
    assert_int_equal(cudaDestroyTextureObject(object), CUDA_SUCCESS);
    assert_int_equal(cudaCreateSurfaceObject(&object, &line), CUDA_INVALID_VALUE);
    other.as.memory.width = 1028;
    assert_int_equal(cudaCreateTextureObject(&object, &other, &plain, NULL), CUDA_INVALID_VALUE);
    other.as.memory.width = 3;
    assert_int_equal(cudaCreateTextureObject(&object, &other, &plain, NULL), CUDA_INVALID_VALUE);
    other = (struct cuda_resource){RESOURCE_PITCH_2D, .as.memory = {memory, integers, 8, 0, 128}};
    assert_int_equal(cudaCreateTextureObject(&object, &other, &plain, NULL), CUDA_INVALID_VALUE);
    struct cuda_texture description = plain;
    description.srgb = 1;
    assert_int_equal(cudaCreateTextureObject(&object, &line, &description, NULL),
                     CUDA_NOT_SUPPORTED);
    description = plain;
    description.beyond[1] = TEXTURE_BORDER + 1;
    assert_int_equal(cudaCreateTextureObject(&object, &line, &description, NULL),
                     CUDA_INVALID_VALUE);
}

/* --sample executes a launch, takes it back and times it: its writes happen once. */
static int begin_sampled(void **state)
{
    (void)state;
    return begin_with("SIMSM_SAMPLE", "1", "configs/t4.yaml",
                      "tests/data/sass/execute/textures.sm_75.cubin", 75);
}

/* A handle of an array from before a reset frees nothing that was allocated after it. */
static void arrays_end_with_a_reset(void **state)
{
    (void)state;
    void *array, *first, *second;
    assert_int_equal(cudaMallocArray(&array, &floats, W, H, 0), CUDA_SUCCESS);
    assert_int_equal(cudaDeviceReset(), CUDA_SUCCESS);
    assert_int_equal(cudaMalloc(&first, 16 * sizeof source), CUDA_SUCCESS);
    assert_int_equal(cudaMalloc(&second, 16 * sizeof source), CUDA_SUCCESS);
    assert_int_equal(cudaFreeArray(array), CUDA_INVALID_RESOURCE_HANDLE);
    assert_int_equal(cudaFree(second), CUDA_SUCCESS);
    assert_int_equal(cudaFree(first), CUDA_SUCCESS);
}

/* An object tells the driver API what it was created of, by the same description. */
static void objects_tell_their_origin(void **state)
{
    (void)state;
    enum { UNSIGNED_8 = 1, FLOAT_32 = 0x20 };
    const struct driver_resource given[] = {
        {.type = RESOURCE_LINEAR, .as.memory = {out, FLOAT_32, 1, 64, 0, 0}},
        {.type = RESOURCE_PITCH_2D, .as.memory = {out, UNSIGNED_8, 4, 16, 2, 256}}};
    const struct driver_texture read[] = {
        {.beyond = {TEXTURE_CLAMP, TEXTURE_BORDER, 0}, .border = {1, 2, 3, 4}},
        {.linear = 1, .flags = TEXTURE_NORMALIZED}};
    for (int i = 0; i < 2; i++) {
        struct driver_resource resource;
        struct driver_texture texture;
        uint64_t object;
        assert_int_equal(cuTexObjectCreate(&object, &given[i], &read[i], NULL), 0);
        assert_int_equal(cuTexObjectGetResourceDesc(&resource, object), 0);
        assert_int_equal(cuTexObjectGetTextureDesc(&texture, object), 0);
        assert_int_equal(resource.type, given[i].type);
        assert_memory_equal(&resource.as.memory, &given[i].as.memory, sizeof resource.as.memory);
        assert_memory_equal(&texture, &read[i], sizeof texture);
        assert_int_equal(cuTexObjectGetResourceViewDesc(&texture, object), 1);
        assert_int_equal(cuSurfObjectGetResourceDesc(&resource, object), 1);
        assert_int_equal(cudaDestroyTextureObject(object), CUDA_SUCCESS);
        assert_int_equal(cuTexObjectGetResourceDesc(&resource, object), 1);
    }
    void *array;
    uint64_t surface;
    struct driver_resource resource;
    assert_int_equal(cudaMallocArray(&array, &floats, W, H, 2), CUDA_SUCCESS);
    const struct cuda_resource of = {.type = RESOURCE_ARRAY, .as.array = array};
    assert_int_equal(cudaCreateSurfaceObject(&surface, &of), CUDA_SUCCESS);
    assert_int_equal(cuSurfObjectGetResourceDesc(&resource, surface), 0);
    assert_ptr_equal(resource.as.array, array);
}

#define ON_BOTH(test)                                                                              \
    cmocka_unit_test_setup_teardown(test, begin_75, finish),                                       \
        cmocka_unit_test_setup_teardown(test, begin_90, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(memory_is_a_line),
        ON_BOTH(all_addresses_are_filtered),
        ON_BOTH(planes_are_read),
        ON_BOTH(integers_are_read),
        ON_BOTH(slices_layers_and_faces),
        ON_BOTH(surfaces_are_read_and_written),
        ON_BOTH(mistakes_are_refused),
        ON_BOTH(outside_of_a_surface),
        ON_BOTH(objects_of_memory),
        ON_BOTH(bad_objects_are_refused),
        ON_BOTH(objects_tell_their_origin),
        ON_BOTH(arrays_end_with_a_reset),
        cmocka_unit_test_setup_teardown(surfaces_are_read_and_written, begin_sampled, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
