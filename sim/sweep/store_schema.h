/* The tables of the file of results. */
#ifndef SIM_SWEEP_STORE_SCHEMA_H
#define SIM_SWEEP_STORE_SCHEMA_H

enum { STORE_APPLICATION = 0x534d5357 }; /* "SMSW", the application_id of the SQLite file */

extern const char store_schema[];

#endif
