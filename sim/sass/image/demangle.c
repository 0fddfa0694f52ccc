/* Demangles names of the Itanium C++ ABI. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/image/sass_module.h"

/*
 * Reads a length in decimal and checks that so many characters follow. Returns the first character,
 * or NULL.
 */
static const char *identifier(const char *at, size_t *length)
{
    char *end;
    if (!isdigit((unsigned char)*at))
        return NULL;
    *length = strtoul(at, &end, 10);
    return strlen(end) >= *length ? end : NULL;
}

/*
 * Returns the text after template arguments, from their "I" to their "E"; NULL if the arguments use
 * more of the ABI than this.
 */
static const char *skip_arguments(const char *at)
{
    unsigned depth = 0;
    size_t length;
    while (*at) {
        const char *name = identifier(at, &length);
        if (name) {
            at = name + length;
        } else if (*at == 'L') { /* a literal: a type and a value, up to E */
            at++;
            name = identifier(at, &length);
            at = strchr(name ? name + length : at, 'E');
            if (!at)
                return NULL;
            at++;
        } else {
            depth += strchr("INXJ", *at) != NULL;
            depth -= *at == 'E';
            at++;
            if (depth == 0)
                return at;
        }
    }
    return NULL;
}

/* Adds a component to the name; anonymous namespaces are left out. */
static void add(char *plain, size_t size, const char *name, size_t length)
{
    size_t used = strlen(plain);
    if (strncmp(name, "_GLOBAL__N_", 11) == 0)
        return;
    (void)snprintf(plain + used, size - used, "%s%.*s", used ? "::" : "", (int)length, name);
}

static void append(char *plain, size_t size, const char *text, size_t length)
{
    size_t used = strlen(plain);
    (void)snprintf(plain + used, size - used, "%.*s", (int)length, text);
}

/*
 * Removes the prefix that linked code has before names of internal linkage:
 * "__nv_static_LENGTH_TEXT_".
 */
static const char *without_prefix(const char *name)
{
    static const char prefix[] = "__nv_static_";
    char *end;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return name;
    size_t length = strtoul(name + sizeof prefix - 1, &end, 10);
    return *end == '_' && strlen(end + 1) > length + 1 ? end + 1 + length + 1 : name;
}

/*
 * Writes the components of a name after its "_Z"; constructors (C) and destructors (D) have the
 * name of their class. Returns false for anything but plain components.
 */
static bool components(const char *at, char *plain, size_t size)
{
    bool nested = *at == 'N';
    const char *last = NULL; /* component */
    size_t length, last_length = 0;
    at += nested;
    while (*at == 'L' || *at == 'K') /* internal linkage, const */
        at++;
    if (strncmp(at, "St", 2) == 0) { /* namespace std */
        add(plain, size, "std", 3);
        at += 2;
    }
    for (bool first = true; at && *at && *at != 'E' && (nested || first); first = false) {
        if (last && (*at == 'C' || *at == 'D') && isdigit((unsigned char)at[1])) {
            add(plain, size, *at == 'C' ? "" : "~", *at == 'D');
            append(plain, size, last, last_length);
            return true;
        }
        const char *name = identifier(at, &length);
        if (!name)
            return false;
        add(plain, size, name, length);
        last = name;
        last_length = length;
        at = name + length;
        if (*at == 'I' && nested)
            at = skip_arguments(at);
    }
    return at != NULL;
}

void sass_plain_name(const char *mangled, char *plain, size_t size)
{
    const char *name = without_prefix(mangled);
    if (size == 0)
        return;
    plain[0] = '\0';
    if (strncmp(name, "_Z", 2) != 0 || !components(name + 2, plain, size) || plain[0] == '\0')
        (void)snprintf(plain, size, "%s", name);
}

bool sass_is_called(const char *mangled, const char *name)
{
    char plain[512];
    sass_plain_name(mangled, plain, sizeof plain);
    const size_t whole = strlen(plain), part = strlen(name);
    if (strcmp(mangled, name) == 0 || strcmp(plain, name) == 0)
        return true;
    return part && whole > part + 2 && strcmp(plain + whole - part, name) == 0 &&
           memcmp(plain + whole - part - 2, "::", 2) == 0;
}
