/*
 * The answer is an HMAC (RFC 2104) over MD2 (RFC 1319), whose block has 16 bytes. Key and message
 * are not documented by NVIDIA; the project ZLUDA has published them (dark_api).
 */
#include "cuda/driver/integrity.h"

#include <string.h>

enum { BLOCK = 16 };

struct md2 {
    uint8_t state[3 * BLOCK]; /* digest, block, and both combined */
    uint8_t checksum[BLOCK];
    uint8_t count; /* bytes in the block */
    uint8_t last;  /* of the checksum */
};

/* The bytes 0 to 255, permuted by the digits of pi (RFC 1319, PI_SUBST). */
static const uint8_t permuted[256] = {
    41,  46,  67,  201, 162, 216, 124, 1,   61,  54,  84,  161, 236, 240, 6,   19,  98,  167, 5,
    243, 192, 199, 115, 140, 152, 147, 43,  217, 188, 76,  130, 202, 30,  155, 87,  60,  253, 212,
    224, 22,  103, 66,  111, 24,  138, 23,  229, 18,  190, 78,  196, 214, 218, 158, 222, 73,  160,
    251, 245, 142, 187, 47,  238, 122, 169, 104, 121, 145, 21,  178, 7,   63,  148, 194, 16,  137,
    11,  34,  95,  33,  128, 127, 93,  154, 90,  144, 50,  39,  53,  62,  204, 231, 191, 247, 151,
    3,   255, 25,  48,  179, 72,  165, 181, 209, 215, 94,  146, 42,  172, 86,  170, 198, 79,  184,
    56,  210, 150, 164, 125, 182, 118, 252, 107, 226, 156, 116, 4,   241, 69,  157, 112, 89,  100,
    113, 135, 32,  134, 91,  207, 101, 230, 45,  168, 2,   27,  96,  37,  173, 174, 176, 185, 246,
    28,  70,  97,  105, 52,  64,  126, 15,  85,  71,  163, 35,  221, 81,  175, 58,  195, 92,  249,
    206, 186, 197, 234, 38,  44,  83,  13,  110, 133, 40,  132, 9,   211, 223, 205, 244, 65,  129,
    77,  82,  106, 220, 55,  200, 108, 193, 171, 250, 36,  225, 123, 8,   12,  189, 177, 74,  120,
    136, 149, 139, 227, 99,  232, 109, 233, 203, 213, 254, 59,  0,   29,  57,  242, 239, 183, 14,
    102, 88,  208, 228, 166, 119, 114, 248, 235, 117, 75,  10,  49,  68,  80,  180, 143, 237, 31,
    26,  219, 153, 141, 51,  159, 17,  131, 20};

static void mix(struct md2 *md2)
{
    enum { ROUNDS = 18 };
    uint8_t t = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < sizeof md2->state; i++)
            t = md2->state[i] ^= permuted[t];
        t = (uint8_t)(t + round);
    }
}

static void put(struct md2 *md2, uint8_t byte)
{
    const size_t i = md2->count;
    md2->state[BLOCK + i] = byte;
    md2->state[2 * BLOCK + i] = md2->state[i] ^ byte;
    md2->last = md2->checksum[i] ^= permuted[byte ^ md2->last];
    md2->count = (uint8_t)((i + 1) % BLOCK);
    if (md2->count == 0)
        mix(md2);
}

static void put_bytes(struct md2 *md2, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put(md2, ((const uint8_t *)data)[i]);
}

static void finish(struct md2 *md2, uint8_t out[BLOCK])
{
    const uint8_t padding = (uint8_t)(BLOCK - md2->count);
    uint8_t checksum[BLOCK];
    for (unsigned i = 0; i < padding; i++)
        put(md2, padding);
    memcpy(checksum, md2->checksum, sizeof checksum);
    put_bytes(md2, checksum, sizeof checksum);
    memcpy(out, md2->state, BLOCK);
}

/* Begins a hash with the key, each byte combined with `pad`. */
static struct md2 keyed(uint8_t pad)
{
    static const uint8_t key[BLOCK] = {0x14, 0x6a, 0xdd, 0xae, 0x53, 0xa9, 0xa7, 0x52,
                                       0xaa, 0x08, 0x41, 0x36, 0x0b, 0xf5, 0x5a, 0x9f};
    struct md2 md2 = {0};
    for (size_t i = 0; i < BLOCK; i++)
        put(&md2, key[i] ^ pad);
    return md2;
}

void integrity_answer(const struct integrity_message *message,
                      const struct integrity_device *devices, size_t count, uint8_t out[16])
{
    enum { INNER = 0x36, OUTER = 0x5c };
    struct md2 inner = keyed(INNER), outer = keyed(OUTER);
    uint8_t digest[BLOCK];
    put_bytes(&inner, message, sizeof *message);
    put_bytes(&inner, devices, count * sizeof *devices);
    finish(&inner, digest);
    put_bytes(&outer, digest, sizeof digest);
    finish(&outer, out);
}
