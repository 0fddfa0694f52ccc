/* cudaDeviceProp of toolkits 11, 12 and 13, and device attributes. */
#ifndef SIM_CUDA_PROPERTIES_H
#define SIM_CUDA_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/config.h"

/*
 * One struct for each toolkit, and struct properties with all members that have a meaning. PROPERTY
 * of properties.def declares a member if its `versions` name the struct: each IN_* macro keeps or
 * drops the member.
 */
#define PROPERTY(versions, type, name, dimension, ...) IN_##versions(type name dimension;)
#define KEEP(member)                                   member
#define DROP(member)
#define IN_ALL   KEEP
#define IN_OLD   KEEP
#define IN_NEW   DROP
#define IN_V12   DROP
#define IN_V13   DROP
#define IN_END13 DROP
struct cuda_properties_11 {
#include "cuda/properties.def"
};
#undef IN_NEW
#undef IN_V12
#define IN_NEW KEEP
#define IN_V12 KEEP
struct cuda_properties_12 {
#include "cuda/properties.def"
};
#undef IN_OLD
#undef IN_V12
#undef IN_V13
#undef IN_END13
#define IN_OLD   DROP
#define IN_V12   DROP
#define IN_V13   KEEP
#define IN_END13 KEEP
struct cuda_properties_13 {
#include "cuda/properties.def"
};
#undef IN_OLD
#undef IN_END13
#define IN_OLD   KEEP
#define IN_END13 DROP
struct properties {
#include "cuda/properties.def"
};
#undef IN_ALL
#undef IN_OLD
#undef IN_NEW
#undef IN_V12
#undef IN_V13
#undef IN_END13
#undef KEEP
#undef DROP
#undef PROPERTY

/* Bytes of a PCI address and of a UUID as text, with the 0. */
enum { PROPERTIES_BUS_ID = 16, PROPERTIES_UUID = 41 };

/* Fills *properties for a device of this configuration with `memory` bytes. */
void properties_fill(const struct simsm_config *config, uint64_t memory,
                     struct properties *properties);

/* Writes the PCI address of the device: "0000:01:00.0". */
void properties_bus_id(const struct properties *properties, char text[PROPERTIES_BUS_ID]);

/* Writes the UUID of the device as nvidia-smi does: "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". */
void properties_uuid(const struct properties *properties, char text[PROPERTIES_UUID]);

/* Converts the properties to the struct of toolkit 11. */
void properties_for_11(const struct properties *from, struct cuda_properties_11 *to);
/* Converts the properties to the struct of toolkit 12. */
void properties_for_12(const struct properties *from, struct cuda_properties_12 *to);
/* Converts the properties to the struct of toolkit 13. */
void properties_for_13(const struct properties *from, struct cuda_properties_13 *to);

/*
 * Finds the value of an attribute by its number (cudaDeviceAttr). Returns false if there is no such
 * attribute.
 */
bool properties_attribute(const struct properties *properties, int number, int *value);

#endif
