/* The library of the tests of the Python package holds libsimsm and nothing else. */
typedef int simsm_nothing;
