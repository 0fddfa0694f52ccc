// Casts rays into a tree of boxes; each leaf is one sphere. The nearest sphere's number is stored.
//
// Shows heavy divergence: every lane walks the tree its own way, with a stack in local memory.
#include "verify.h"

const int leaves = 256, depth = 8; // a complete binary tree; node k has children 2k and 2k + 1

struct Sphere {
    float x, y, z, radius;
};

struct Box {
    float low[3], high[3];
};

struct Ray {
    float from[3], to[3]; // `to` is the direction, no component of it 0
};

__device__ static bool meets(const Box &box, const Ray &ray, float nearest)
{
    float enter = 0.0f, leave = nearest;
    for (int k = 0; k < 3; k++) {
        float a = (box.low[k] - ray.from[k]) / ray.to[k],
              b = (box.high[k] - ray.from[k]) / ray.to[k];
        enter = fmaxf(enter, fminf(a, b));
        leave = fminf(leave, fmaxf(a, b));
    }
    return enter <= leave;
}

/// The distance to the sphere in units of the direction; 1e30 if the ray misses it.
__host__ __device__ static float distance(const Sphere &s, const Ray &ray)
{
    float x = ray.from[0] - s.x, y = ray.from[1] - s.y, z = ray.from[2] - s.z;
    float a = ray.to[0] * ray.to[0] + ray.to[1] * ray.to[1] + ray.to[2] * ray.to[2];
    float b = x * ray.to[0] + y * ray.to[1] + z * ray.to[2];
    float c = x * x + y * y + z * z - s.radius * s.radius;
    float square = b * b - a * c;
    if (square < 0.0f)
        return 1e30f;
    float t = (-b - sqrtf(square)) / a;
    return t > 0.0f ? t : 1e30f;
}

__host__ __device__ static Ray ray_of(int x, int y, int width, int height)
{
    Ray ray = {
        {0.01f, 0.02f, -4.0f},
        {((float)x + 0.3f) / (float)width - 0.5f, ((float)y + 0.3f) / (float)height - 0.5f, 1.0f}};
    return ray;
}

__global__ void ray_cast(const Box *boxes, const Sphere *spheres, int *found, float *distances,
                         int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    Ray ray = ray_of(x, y, width, height);
    int stack[depth + 2], top = 0, best = -1;
    float nearest = 1e30f;
    stack[top++] = 1;
    while (top > 0) {
        int node = stack[--top];
        if (!meets(boxes[node], ray, nearest))
            continue;
        if (node < leaves) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;
            continue;
        }
        float t = distance(spheres[node - leaves], ray);
        if (t < nearest) {
            nearest = t;
            best = node - leaves;
        }
    }
    found[y * width + x] = best;
    distances[y * width + x] = nearest;
}

static std::vector<Box> build(std::vector<Sphere> &spheres)
{
    std::sort(spheres.begin(), spheres.end(),
              [](const Sphere &a, const Sphere &b) { return a.x < b.x; });
    std::vector<Box> boxes(2 * leaves);
    for (int i = 2 * leaves - 1; i > 0; i--) {
        for (int k = 0; k < 3; k++) {
            if (i >= leaves) {
                const Sphere &s = spheres[i - leaves];
                float centre = k == 0 ? s.x : k == 1 ? s.y : s.z;
                boxes[i].low[k] = centre - 1.01f * s.radius;
                boxes[i].high[k] = centre + 1.01f * s.radius;
            } else {
                boxes[i].low[k] = std::min(boxes[2 * i].low[k], boxes[2 * i + 1].low[k]);
                boxes[i].high[k] = std::max(boxes[2 * i].high[k], boxes[2 * i + 1].high[k]);
            }
        }
    }
    return boxes;
}

int main()
{
    const int width = 128, height = 96 * verify::size();
    verify::Program program("ray_cast");
    std::vector<float> words = verify::random_floats(4 * leaves, 1);
    std::vector<Sphere> spheres;
    for (int i = 0; i < leaves; i++)
        spheres.push_back({1.5f * words[4 * i], 1.5f * words[4 * i + 1], words[4 * i + 2],
                           0.06f + 0.05f * words[4 * i + 3]});
    std::vector<Box> boxes = build(spheres);
    verify::Buffer<Box> device_boxes(boxes);
    verify::Buffer<Sphere> device_spheres(spheres);
    verify::Buffer<int> found(width * height);
    verify::Buffer<float> distances(width * height);

    ray_cast<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(
        device_boxes.data, device_spheres.data, found.data, distances.data, width, height);
    program.launched("ray_cast");
    std::vector<int> got = program.output("found", found);
    std::vector<float> got_distances = program.output("distances", distances);

    // A ray that only grazes a sphere may be judged either way: what was found must be as near as
    // the nearest of all spheres, for all but a few rays.
    int hits = 0, differ = 0;
    for (int i = 0; i < width * height; i++) {
        Ray ray = ray_of(i % width, i / width, width, height);
        float nearest = 1e30f;
        for (const Sphere &sphere : spheres)
            nearest = std::min(nearest, distance(sphere, ray));
        hits += got[i] >= 0;
        differ += std::fabs(got_distances[i] - nearest) > 1e-3f * nearest;
    }
    program.holds("hits in a tenth to nine tenths of the picture",
                  hits > width * height / 10 && hits < width * height * 9 / 10);
    program.holds("the nearest sphere found by all but 20 rays", differ <= 20);
    return program.finish();
}
