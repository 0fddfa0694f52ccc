/* Files of this folder that go into a page unchanged. resources.cmake turns them into C. */
#ifndef VIZ_HTML_RESOURCES_H
#define VIZ_HTML_RESOURCES_H

/* resource_style: page.css. resource_script: data.js, cause.js, draw.js and input.js joined. */
extern const char resource_style[], resource_script[];

#endif
