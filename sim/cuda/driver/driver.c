/* Translates errors of the runtime. */
#include "cuda/driver/driver.h"

int driver_result(enum cuda_error error)
{
    enum { FIRST_SHARED = 100, LAST_EQUAL = 8, SYMBOL = 13, DEVICE_FUNCTION = 98 };
    const int number = (int)error;
    if (number == SYMBOL || number == DEVICE_FUNCTION)
        return DRIVER_NOT_FOUND;
    return number > LAST_EQUAL && number < FIRST_SHARED ? DRIVER_INVALID_VALUE : number;
}
