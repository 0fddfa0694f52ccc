#include <simsm/simsm.h>
#include <stdio.h>

int main(void)
{
    struct simsm_config config;
    struct simsm_error error;
    struct simsm *simulation = NULL;
    char text[1024];
    enum simsm_status status = simsm_config_load(&config, "t4", &error);
    if (status == SIMSM_OK)
        status = simsm_open(&simulation, &config, "traces/divergent.trace", NULL, &error);
    if (status == SIMSM_OK)
        status = simsm_run(simulation, UINT64_MAX, &error);
    if (status == SIMSM_OK)
        printf("%llu cycles\n", (unsigned long long)simsm_stats(simulation)->cycles);
    else
        fprintf(stderr, "%s\n", simsm_error_text(&error, text, sizeof text));
    simsm_close(simulation);
    return (int)status;
}
