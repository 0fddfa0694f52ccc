/* Fills cudaDeviceProp from the configuration, and converts it for each toolkit. */
#include "cuda/properties.h"

#include <stdio.h>
#include <string.h>

void properties_fill(const struct simsm_config *config, uint64_t memory,
                     struct properties *properties)
{
    const struct simsm_config *const CONFIG = config;
    const size_t MEMORY = memory;
    *properties = (struct properties){
#define PROPERTY(versions, type, name, dimension, ...) IN_##versions(.name = __VA_ARGS__)
#define KEEP(...)                                      __VA_ARGS__,
#define DROP(...)
#define IN_ALL   KEEP
#define IN_OLD   KEEP
#define IN_NEW   KEEP
#define IN_V12   DROP
#define IN_V13   KEEP
#define IN_END13 DROP
#include "cuda/properties.def"
#undef IN_ALL
#undef IN_OLD
#undef IN_NEW
#undef IN_V12
#undef IN_V13
#undef IN_END13
#undef KEEP
#undef DROP
#undef PROPERTY
    };
    (void)snprintf(properties->name, sizeof properties->name, "%s",
                   CONFIG->gpu_device_name[0] ? CONFIG->gpu_device_name : CONFIG->gpu_name);
}

void properties_bus_id(const struct properties *properties, char text[PROPERTIES_BUS_ID])
{
    (void)snprintf(text, PROPERTIES_BUS_ID, "%04x:%02x:%02x.0",
                   (unsigned)properties->pciDomainID & 0xffff,
                   (unsigned)properties->pciBusID & 0xff, (unsigned)properties->pciDeviceID & 0xff);
}

void properties_uuid(const struct properties *properties, char text[PROPERTIES_UUID])
{
    const uint8_t *id = properties->uuid;
    char *end = text + sprintf(text, "GPU");
    for (size_t i = 0; i < sizeof properties->uuid; i++) {
        const bool part = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        end += sprintf(end, part ? "-%02x" : "%02x", id[i]);
    }
}

#define COPY(member) memcpy(&to->member, &from->member, sizeof to->member);
#define DROP(member)
#define PROPERTY(versions, type, name, dimension, ...) IN_##versions(name)
#define IN_ALL                                         COPY
#define IN_OLD                                         COPY
#define IN_NEW                                         DROP
#define IN_V12                                         DROP
#define IN_V13                                         DROP
#define IN_END13                                       DROP
void properties_for_11(const struct properties *from, struct cuda_properties_11 *to)
{
    *to = (struct cuda_properties_11){0};
#include "cuda/properties.def"
}

#undef IN_NEW
#define IN_NEW COPY
void properties_for_12(const struct properties *from, struct cuda_properties_12 *to)
{
    *to = (struct cuda_properties_12){0};
#include "cuda/properties.def"
}

#undef IN_OLD
#undef IN_V13
#define IN_OLD DROP
#define IN_V13 COPY
void properties_for_13(const struct properties *from, struct cuda_properties_13 *to)
{
    *to = (struct cuda_properties_13){0};
#include "cuda/properties.def"
}

#undef PROPERTY

bool properties_attribute(const struct properties *properties, int number, int *value)
{
    const struct properties *const P = properties;
    switch (number) {
#define ATTRIBUTE(id, expression)                                                                  \
    case id:                                                                                       \
        *value = (int)(expression);                                                                \
        return true;
#include "cuda/attributes.def"
#undef ATTRIBUTE
    default:
        return false;
    }
}
