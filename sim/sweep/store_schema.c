/* The tables of the file of results, as SQL. */
#include "sweep/store_schema.h"

/*
 * Schema version 1. A point is identified by its inputs (identity); a member has the names that a
 * sweep gives the point. A point may be a member of several sweeps. Points of earlier specs, inputs
 * and versions of simsm stay in the file.
 */
const char store_schema[] =
    "CREATE TABLE config ("
    " id INTEGER PRIMARY KEY,"
    " hash TEXT NOT NULL UNIQUE," /* SHA-256 of the text */
    " text TEXT NOT NULL);"       /* a file with all keys, which simsm can read */
    "CREATE TABLE input ("
    " id INTEGER PRIMARY KEY,"
    " path TEXT NOT NULL,"
    " hash TEXT NOT NULL," /* SHA-256 of the content */
    " bytes INTEGER NOT NULL,"
    " UNIQUE (path, hash));"
    "CREATE TABLE point ("
    " id INTEGER PRIMARY KEY,"
    " identity TEXT NOT NULL UNIQUE," /* SHA-256 of all that decides its figures */
    " version TEXT NOT NULL,"
    " kind TEXT NOT NULL,"
    " config INTEGER NOT NULL REFERENCES config,"
    " launch INTEGER NOT NULL," /* from 1; 0: a file with one launch */
    " arguments TEXT NOT NULL," /* one per line: "param NAME=VALUE", "argument WORD" or "env
                                   NAME=VALUE" */
    " folder TEXT,"             /* where a program runs */
    " state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),"
    " reason TEXT," /* why it failed */
    " runs INTEGER NOT NULL DEFAULT 0,"
    " function TEXT, grid TEXT, block TEXT,"
    " wall_seconds REAL, cpu_seconds REAL, peak_bytes INTEGER,"
    " finished TEXT);" /* UTC */
    "CREATE TABLE point_input ("
    " point INTEGER NOT NULL REFERENCES point,"
    " role TEXT NOT NULL,"
    " input INTEGER NOT NULL REFERENCES input,"
    " PRIMARY KEY (point, role, input)) WITHOUT ROWID;"
    "CREATE TABLE metric ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " unit TEXT NOT NULL,"
    " meaning TEXT NOT NULL);"
    "CREATE TABLE value ("
    " point INTEGER NOT NULL REFERENCES point,"
    " metric INTEGER NOT NULL REFERENCES metric,"
    " value NUMERIC NOT NULL,"
    " PRIMARY KEY (point, metric)) WITHOUT ROWID;"
    "CREATE TABLE sweep ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " spec TEXT NOT NULL," /* file name */
    " text TEXT NOT NULL," /* content of the file */
    " planned TEXT NOT NULL);"
    "CREATE TABLE member ("
    " id INTEGER PRIMARY KEY,"
    " sweep INTEGER NOT NULL REFERENCES sweep,"
    " point INTEGER NOT NULL REFERENCES point,"
    " config TEXT NOT NULL,"
    " kernel TEXT NOT NULL);"
    "CREATE INDEX member_of_sweep ON member (sweep);"
    "CREATE TABLE setting ("
    " member INTEGER NOT NULL REFERENCES member,"
    " key TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " varied INTEGER NOT NULL," /* 1: varied; 0: the same for the whole sweep */
    " place INTEGER NOT NULL,"  /* order in the spec */
    " PRIMARY KEY (member, key)) WITHOUT ROWID;";
