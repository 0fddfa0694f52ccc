/* The language of reports and pages. */
#include "language/language.h"
#include "simsm/error.h"
#include "web/web.h"

int web_language(const char *name)
{
    return language_choose(name) ? SIMSM_OK : SIMSM_BAD_INPUT;
}
