/* `simsm calibrate TARGET --from MEASURED`. */
#ifndef SIM_CLI_CALIBRATE_TRANSFER_H
#define SIM_CLI_CALIBRATE_TRANSFER_H

#include <stdbool.h>

/* Takes values of the configuration `from` over into `target`, shows the changes and, unless `dry`,
 * writes them into `output` (NULL: the file of the target). `all`: of any trust. Returns the exit
 * status. */
int calibrate_transfer(const char *target, const char *from, bool all, bool dry,
                       const char *output);

#endif
