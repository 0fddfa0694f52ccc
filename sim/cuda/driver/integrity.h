/* The answer by which NVIDIA's runtimes make sure that they talk to the driver they have opened. */
#ifndef SIM_CUDA_DRIVER_INTEGRITY_H
#define SIM_CUDA_DRIVER_INTEGRITY_H

#include <stddef.h>
#include <stdint.h>

/*
 * What is signed, in this order and without gaps. Runtimes build the same message, and compare
 * answers.
 */
struct integrity_message {
    uint32_t driver_version; /* as cuDriverGetVersion */
    uint32_t version;        /* that the runtime asks for */
    uint32_t process, thread;
    const void *runtime_table, *integrity_table; /* export tables of the driver */
    void (*function)(void);                      /* that answers */
    uint64_t unix_seconds;
};

/* A device, as signed after the message. */
struct integrity_device {
    uint8_t uuid[16];
    int32_t pci_domain, pci_bus, pci_device;
};

/* Writes the answer to out[16]. */
void integrity_answer(const struct integrity_message *message,
                      const struct integrity_device *devices, size_t count, uint8_t out[16]);

#endif
