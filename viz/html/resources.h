/* The files of this folder that go into a page as they are; resources.cmake turns them into C. */
#ifndef VIZ_HTML_RESOURCES_H
#define VIZ_HTML_RESOURCES_H

/* page.css; data.js, cause.js, draw.js and input.js joined. */
extern const char resource_style[], resource_script[];

#endif
