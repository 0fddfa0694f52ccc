/* What `simsm smi` can tell, field by field, from NVML. */
#include "cli/smi_fields.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "cuda/nvml/nvml_abi.h"

static int ask_timestamp(void *device, char text[SMI_TEXT])
{
    struct timespec now;
    struct tm local;
    (void)device;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const size_t used =
        strftime(text, SMI_TEXT, "%Y/%m/%d %H:%M:%S", localtime_r(&now.tv_sec, &local));
    (void)snprintf(text + used, SMI_TEXT - used, ".%03ld", now.tv_nsec / 1000000);
    return NVML_SUCCESS;
}

static int ask_driver_version(void *device, char text[SMI_TEXT])
{
    (void)device;
    return nvmlSystemGetDriverVersion(text, SMI_TEXT);
}

static int ask_count(void *device, char text[SMI_TEXT])
{
    unsigned count = 0;
    (void)device;
    const int result = nvmlDeviceGetCount_v2(&count);
    (void)snprintf(text, SMI_TEXT, "%u", count);
    return result;
}

static int ask_index(void *device, char text[SMI_TEXT])
{
    unsigned index = 0;
    const int result = nvmlDeviceGetIndex(device, &index);
    (void)snprintf(text, SMI_TEXT, "%u", index);
    return result;
}

static int ask_name(void *device, char text[SMI_TEXT])
{
    return nvmlDeviceGetName(device, text, SMI_TEXT);
}

static int ask_uuid(void *device, char text[SMI_TEXT])
{
    return nvmlDeviceGetUUID(device, text, SMI_TEXT);
}

static int ask_bus_id(void *device, char text[SMI_TEXT])
{
    struct nvml_pci pci = {0};
    const int result = nvmlDeviceGetPciInfo_v3(device, &pci);
    (void)snprintf(text, SMI_TEXT, "%s", pci.busId);
    return result;
}

static int ask_compute_capability(void *device, char text[SMI_TEXT])
{
    unsigned major = 0, minor = 0;
    const int result = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
    (void)snprintf(text, SMI_TEXT, "%u.%u", major, minor);
    return result;
}

static int ask_compute_mode(void *device, char text[SMI_TEXT])
{
    static const char *const names[] = {"Default", "Exclusive_Thread", "Prohibited",
                                        "Exclusive_Process"};
    unsigned mode = 0;
    const int result = nvmlDeviceGetComputeMode(device, &mode);
    (void)snprintf(text, SMI_TEXT, "%s", names[mode & 3]);
    return result;
}

/* Writes whether something is on. Returns `result`. */
static int tell_mode(int result, bool on, char text[SMI_TEXT])
{
    (void)snprintf(text, SMI_TEXT, "%s", on ? "Enabled" : "Disabled");
    return result;
}

#define ASK_MODE(name, function)                                                                   \
    static int name(void *device, char text[SMI_TEXT])                                             \
    {                                                                                              \
        unsigned on = 0;                                                                           \
        const int result = function(device, &on);                                                  \
        return tell_mode(result, on != 0, text);                                                   \
    }
ASK_MODE(ask_persistence_mode, nvmlDeviceGetPersistenceMode)
ASK_MODE(ask_display_mode, nvmlDeviceGetDisplayMode)
ASK_MODE(ask_display_active, nvmlDeviceGetDisplayActive)

static int ask_ecc_mode(void *device, char text[SMI_TEXT])
{
    unsigned current = 0, pending;
    const int result = nvmlDeviceGetEccMode(device, &current, &pending);
    return tell_mode(result, current != 0, text);
}

static int ask_mig_mode(void *device, char text[SMI_TEXT])
{
    unsigned current = 0, pending;
    const int result = nvmlDeviceGetMigMode(device, &current, &pending);
    return tell_mode(result, current != 0, text);
}

#define ASK_MEMORY(name, member)                                                                   \
    static int name(void *device, char text[SMI_TEXT])                                             \
    {                                                                                              \
        struct nvml_memory_2 memory = {.version = sizeof memory | 2U << 24};                       \
        const int result = nvmlDeviceGetMemoryInfo_v2(device, &memory);                            \
        (void)snprintf(text, SMI_TEXT, "%llu", memory.member >> 20);                               \
        return result;                                                                             \
    }
ASK_MEMORY(ask_memory_total, total)
ASK_MEMORY(ask_memory_reserved, reserved)
ASK_MEMORY(ask_memory_used, used)
ASK_MEMORY(ask_memory_free, free)

#define ASK_CLOCK(name, function, clock)                                                           \
    static int name(void *device, char text[SMI_TEXT])                                             \
    {                                                                                              \
        unsigned mhz = 0;                                                                          \
        const int result = function(device, clock, &mhz);                                          \
        (void)snprintf(text, SMI_TEXT, "%u", mhz);                                                 \
        return result;                                                                             \
    }
ASK_CLOCK(ask_clock_graphics, nvmlDeviceGetClockInfo, NVML_CLOCK_GRAPHICS)
ASK_CLOCK(ask_clock_sm, nvmlDeviceGetClockInfo, NVML_CLOCK_SM)
ASK_CLOCK(ask_clock_memory, nvmlDeviceGetClockInfo, NVML_CLOCK_MEM)
ASK_CLOCK(ask_max_clock_graphics, nvmlDeviceGetMaxClockInfo, NVML_CLOCK_GRAPHICS)
ASK_CLOCK(ask_max_clock_sm, nvmlDeviceGetMaxClockInfo, NVML_CLOCK_SM)
ASK_CLOCK(ask_max_clock_memory, nvmlDeviceGetMaxClockInfo, NVML_CLOCK_MEM)

static const struct smi_field {
    const char *name, *short_name;
    const char *unit; /* with a space before it; "": none */
    int (*ask)(void *device, char text[SMI_TEXT]);
} fields[] = {
#define FIELD(name, short_name, unit, ask) {name, short_name, unit, ask},
#include "cli/smi_fields.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Returns the field of this name; NULL if there is none. `length`: characters of `name`. */
static const struct smi_field *find_field(const char *name, size_t length)
{
    for (size_t i = 0; i < FIELDS && length; i++)
        for (int s = 0; s < 2; s++) {
            const char *own = s ? fields[i].short_name : fields[i].name;
            if (strlen(own) == length && strncmp(own, name, length) == 0)
                return &fields[i];
        }
    return NULL;
}

/* Writes the value of a field. Returns whether NVML tells it. */
static bool ask(void *device, const struct smi_field *field, char text[SMI_TEXT])
{
    return field->ask && field->ask(device, text) == NVML_SUCCESS;
}

void smi_value(void *device, const char *name, char text[SMI_TEXT])
{
    const struct smi_field *field = find_field(name, strlen(name));
    if (!field || !ask(device, field, text))
        (void)snprintf(text, SMI_TEXT, "N/A");
}

/* The next word of a list with commas: *length characters at the pointer that is returned, without
 * blanks around them. Moves *list behind the word; *list becomes NULL after the last. */
static const char *next_word(const char **list, size_t *length)
{
    const char *word = *list + strspn(*list, " ");
    const size_t whole = strcspn(word, ",");
    *length = whole;
    while (*length && word[*length - 1] == ' ')
        --*length;
    *list = word[whole] ? word + whole + 1 : NULL;
    return word;
}

static enum simsm_status read_format(const char *format, bool *header, bool *units,
                                     struct simsm_error *error)
{
    static const char *const known[] = {"csv", "noheader", "nounits"};
    bool given[sizeof known / sizeof known[0]] = {false};
    for (size_t length; format;) {
        const char *word = next_word(&format, &length);
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strlen(known[i]) == length && strncmp(word, known[i], length) == 0)
                given[i] = found = true;
        if (!found)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--format: expected csv, noheader or nounits, found '%.*s'", (int)length,
                           word);
    }
    *header = !given[1];
    *units = !given[2];
    return SIMSM_OK;
}

static enum simsm_status check_fields(const char *list, struct simsm_error *error)
{
    for (size_t length; list;) {
        const char *word = next_word(&list, &length);
        if (!find_field(word, length))
            return err_set(error, SIMSM_BAD_INPUT,
                           "--query-gpu: '%.*s' is no field; --help-query-gpu lists them",
                           (int)length, word);
    }
    return SIMSM_OK;
}

enum simsm_status smi_query(FILE *out, void *device, const char *list, const char *format,
                            struct simsm_error *error)
{
    bool header = false, units = false;
    char text[SMI_TEXT];
    size_t length;
    enum simsm_status status = read_format(format, &header, &units, error);
    if (status == SIMSM_OK)
        status = check_fields(list, error);
    if (status != SIMSM_OK)
        return status;
    for (const char *rest = list; header && rest;) {
        const char *word = next_word(&rest, &length);
        const struct smi_field *field = find_field(word, length);
        (void)fprintf(out, *field->unit ? "%s [%s]%s" : "%s%s%s", field->name,
                      field->unit + (*field->unit ? 1 : 0), rest ? ", " : "\n");
    }
    for (const char *rest = list; rest;) {
        const char *word = next_word(&rest, &length);
        const struct smi_field *field = find_field(word, length);
        const bool told = ask(device, field, text);
        (void)fprintf(out, "%s%s%s", told ? text : "[N/A]", told && units ? field->unit : "",
                      rest ? ", " : "\n");
    }
    return SIMSM_OK;
}

void smi_list_fields(FILE *out)
{
    for (size_t i = 0; i < FIELDS; i++)
        (void)fprintf(out, *fields[i].short_name ? "%s, or %s\n" : "%s%s\n", fields[i].name,
                      fields[i].short_name);
}
