#include <string.h>

#include "report/section.h"
#include "report/verdict.h"

enum { ALSO_SHOWN = 3 };

void section_verdict(const struct section *section)
{
    struct verdict_finding findings[VERDICT_MAX];
    unsigned count = verdict_find(section->config, section->stats, section->metrics, findings);
    char text[512];
    section_title(section, "What limits this kernel");
    section_text(section, 2, findings[0].sentence);
    (void)snprintf(text, sizeof text, "Try: %s", findings[0].hint);
    section_text(section, 2, text);
    for (unsigned i = 1; i < count && i <= ALSO_SHOWN; i++) {
        (void)snprintf(text, sizeof text, "Also: %s", findings[i].sentence);
        section_text(section, 2, text);
    }
}
