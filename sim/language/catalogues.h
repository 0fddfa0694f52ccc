/* The compiled catalogues of this folder. The build writes them as C: catalogues.cmake. */
#ifndef SIM_LANGUAGE_CATALOGUES_H
#define SIM_LANGUAGE_CATALOGUES_H

/* Translations into one language: the bytes of a .mo file. `name` is that of the .po file. */
struct catalogue {
    const char *name;
    const unsigned char *bytes;
};

/* Ends with a row whose name is NULL. */
extern const struct catalogue catalogues[];

#endif
