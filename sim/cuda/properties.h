/* cudaDeviceProp of toolkits 11, 12 and 13, and the same facts as attributes. */
#ifndef SIM_CUDA_PROPERTIES_H
#define SIM_CUDA_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/runtime.h"

/* One struct for each toolkit, and one with all members that mean something. PROPERTY of
 * properties.def chooses by the name of its versions whether the struct has the member. */
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

/* Every fact about the device. */
void properties_fill(const struct runtime *rt, struct properties *properties);

void properties_for_11(const struct properties *from, struct cuda_properties_11 *to);
void properties_for_12(const struct properties *from, struct cuda_properties_12 *to);
void properties_for_13(const struct properties *from, struct cuda_properties_13 *to);

/* The value of an attribute by its number (cudaDeviceAttr); false: there is none. */
bool properties_attribute(const struct properties *properties, int number, int *value);

#endif
