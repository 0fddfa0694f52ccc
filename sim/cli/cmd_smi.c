/* `simsm smi CONFIG`: what nvidia-smi prints of a GPU, from simsm's NVML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/smi_fields.h"
#include "config/config_files.h"
#include "cuda/device_choice.h"
#include "cuda/nvml/nvml_abi.h"
#include "options/options.h"
#include "simsm/config.h"
#include "simsm/simsm.h"

enum { KEY_QUERY = 256, KEY_FORMAT, KEY_HELP_QUERY };

struct smi_request {
    const char *config, *id, *query, *format;
    bool list, fields;
};

static const struct argp_option options[] = {
    {"list-gpus", 'L', NULL, 0, "print a line for the GPU: name and UUID", 0},
    {"id", 'i', "ID", 0, "the GPU: its number, UUID or PCI address (there is one)", 0},
    {"query-gpu", KEY_QUERY, "FIELD,...", 0, "print these fields, such as name,memory.total", 0},
    {"format", KEY_FORMAT, "csv[,noheader][,nounits]", 0, "how --query-gpu prints (default: csv)",
     0},
    {"help-query-gpu", KEY_HELP_QUERY, NULL, 0, "list the fields", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct smi_request *request = state->input;
    switch (key) {
    case 'L':
        request->list = true;
        return 0;
    case 'i':
        request->id = text;
        return 0;
    case KEY_QUERY:
        request->query = text;
        return 0;
    case KEY_FORMAT:
        request->format = text;
        return 0;
    case KEY_HELP_QUERY:
        request->fields = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->config)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->config = text;
        return 0;
    case ARGP_KEY_END:
        if (request->format && !request->query)
            argp_error(state, "--format is of --query-gpu");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command_parser smi_parser = {
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "[CONFIG]",
             .doc =
                 "Prints what nvidia-smi would of a GPU. Without CONFIG, of the GPU on which the "
                 "program runs that calls it: programs of simsm run find it as nvidia-smi."},
};

/* Makes NVML tell of this configuration, whatever the environment says. NULL: of the one that the
 * environment names. Either can be read then: nvmlInit has nothing to complain of. */
static enum simsm_status choose(const char *name, struct simsm_error *error)
{
    char path[CONFIG_PATH];
    struct settings settings;
    struct simsm_config config;
    if (!name && getenv(option_rows[SETTING_ID_config].variable))
        return device_choice_read(&settings, &config, error);
    if (!name)
        return err_set(error, SIMSM_BAD_INPUT, "name a configuration, such as `simsm smi h200`");
    enum simsm_status status = config_files_find(name, path, error);
    if (status == SIMSM_OK)
        status = simsm_config_load(&config, path, error);
    for (unsigned id = 0; id < SETTING_ID_COUNT && status == SIMSM_OK; id++)
        (void)unsetenv(option_rows[id].variable);
    if (status == SIMSM_OK && setenv(option_rows[SETTING_ID_config].variable, path, 1) != 0)
        return err_no_memory(error);
    return status;
}

/* Finds the device by its number, UUID or PCI address; NULL: the first. */
static enum simsm_status find(const char *id, void **device, struct simsm_error *error)
{
    char *end = NULL;
    const unsigned long index = id ? strtoul(id, &end, 10) : 0;
    int result = nvmlInit_v2();
    if (result == NVML_SUCCESS && id && strncmp(id, "GPU-", 4) == 0)
        result = nvmlDeviceGetHandleByUUID(id, device);
    else if (result == NVML_SUCCESS && id && (*end || end == id))
        result = nvmlDeviceGetHandleByPciBusId_v2(id, device);
    else if (result == NVML_SUCCESS)
        result = index ? NVML_NOT_FOUND : nvmlDeviceGetHandleByIndex_v2(0, device);
    return result == NVML_SUCCESS ? SIMSM_OK
                                  : err_set(error, SIMSM_BAD_INPUT,
                                            "--id %s: there is no such GPU; its number is 0", id);
}

static void print_list(void *device)
{
    char index[SMI_TEXT], name[SMI_TEXT], uuid[SMI_TEXT];
    smi_value(device, "index", index);
    smi_value(device, "name", name);
    smi_value(device, "uuid", uuid);
    (void)printf("GPU %s: %s (UUID: %s)\n", index, name, uuid);
}

/* "Enabled" is "On" in the table. */
static const char *on_or_off(void *device, const char *field)
{
    char text[SMI_TEXT];
    smi_value(device, field, text);
    return strcmp(text, "Enabled") == 0 ? "On" : "Off";
}

/* The head of the table: the time, versions, and the names of the columns. */
static void print_head(void *device)
{
    char text[SMI_TEXT], driver[SMI_TEXT], cuda[16];
    int version = 0;
    const time_t now = time(NULL);
    struct tm local;
    (void)strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime_r(&now, &local));
    smi_value(device, "driver_version", driver);
    (void)nvmlSystemGetCudaDriverVersion(&version);
    (void)snprintf(cuda, sizeof cuda, "%d.%d", version / 1000, version % 1000 / 10);
    (void)printf("%s\n"
                 "+------------------------------------------------------------------------------"
                 "-----------+\n"
                 "| SIMSM-SMI %-21s Driver Version: %-16s CUDA Version: %-8s |\n"
                 "+-----------------------------------------+------------------------+-----------"
                 "-----------+\n"
                 "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Un"
                 "corr. ECC |\n"
                 "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  C"
                 "ompute M. |\n"
                 "|                                         |                        |           "
                 "    MIG M. |\n"
                 "|=========================================+========================+==========="
                 "===========|\n",
                 text, SIMSM_VERSION, driver, cuda);
}

static void print_table(void *device)
{
    char index[SMI_TEXT], name[SMI_TEXT], bus[SMI_TEXT], used[SMI_TEXT], total[SMI_TEXT],
        compute[SMI_TEXT], mig[SMI_TEXT], memory[SMI_TEXT];
    print_head(device);
    smi_value(device, "index", index);
    smi_value(device, "name", name);
    smi_value(device, "pci.bus_id", bus);
    smi_value(device, "memory.used", used);
    smi_value(device, "memory.total", total);
    smi_value(device, "compute_mode", compute);
    smi_value(device, "mig.mode.current", mig);
    (void)snprintf(memory, sizeof memory, "%.10sMiB / %6.10sMiB", used, total);
    (void)printf("| %3s  %-30.30s %3s | %18s %3s | %20s |\n", index, name,
                 on_or_off(device, "persistence_mode"), bus, on_or_off(device, "display_active"),
                 strcmp(on_or_off(device, "ecc.mode.current"), "On") == 0 ? "0" : "N/A");
    (void)printf("| N/A   N/A   N/A             N/A /  N/A  | %22s | %8s %11s |\n", memory, "N/A",
                 compute);
    (void)printf("| %39s | %22s | %20s |\n", "", "", mig);
    (void)puts("+-----------------------------------------+------------------------+"
               "----------------------+");
}

static enum simsm_status print(const struct smi_request *request, struct simsm_error *error)
{
    void *device = NULL;
    enum simsm_status status = find(request->id, &device, error);
    if (status == SIMSM_OK && request->query)
        return smi_query(stdout, device, request->query, request->format, error);
    if (status == SIMSM_OK && request->list)
        print_list(device);
    else if (status == SIMSM_OK)
        print_table(device);
    return status;
}

int cmd_smi(int argc, char **argv)
{
    struct smi_request request = {0};
    struct simsm_error error;
    command_parser_run(&smi_parser, argc, argv, 0, &request);
    if (request.fields) {
        smi_list_fields(stdout);
        return cli_finish(SIMSM_OK);
    }
    enum simsm_status status = choose(request.config, &error);
    if (status == SIMSM_OK)
        status = print(&request, &error);
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
