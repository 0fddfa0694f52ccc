/* The answer by which runtimes know their driver: an HMAC over MD2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/integrity.h"

/* Reckoned apart from the code by RFC 2104 and RFC 1319, of the bytes of message and device. */
static void answers(void **state)
{
    static const uint8_t without[16] = {0x43, 0xa2, 0x8c, 0x40, 0x0f, 0xd0, 0x38, 0x2a,
                                        0x5e, 0x3e, 0xd6, 0x89, 0x6a, 0x90, 0x43, 0x57},
                         with_device[16] = {0x21, 0xcb, 0xb0, 0x83, 0x9c, 0x6c, 0x80, 0x52,
                                            0x87, 0x3b, 0x36, 0xd5, 0x46, 0xd2, 0xab, 0x82};
    const struct integrity_message message = {.driver_version = 13000,
                                              .version = 13002,
                                              .process = 77,
                                              .thread = 88,
                                              .unix_seconds = 1700000000};
    struct integrity_device device = {.pci_bus = 1, .pci_device = 2};
    uint8_t out[16];
    (void)state;
    for (uint8_t i = 0; i < sizeof device.uuid; i++)
        device.uuid[i] = i;
    integrity_answer(&message, NULL, 0, out);
    assert_memory_equal(out, without, sizeof out);
    integrity_answer(&message, &device, 1, out);
    assert_memory_equal(out, with_device, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
