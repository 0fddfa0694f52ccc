/* The tables of a file of results. */
#ifndef SIM_SWEEP_STORE_SCHEMA_H
#define SIM_SWEEP_STORE_SCHEMA_H

enum { STORE_APPLICATION = 0x534d5357 }; /* "SMSW": what SQLite keeps as application_id */

extern const char store_schema[];

#endif
