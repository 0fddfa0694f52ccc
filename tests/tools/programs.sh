# For tests that start programs with the CUDA runtime of $BUILD.
# shellcheck shell=bash
unset LD_PRELOAD LD_LIBRARY_PATH

# Lets programs without AddressSanitizer or ThreadSanitizer load a runtime that has it: the sanitizer's own
# library must come first in them, which sets $asan for the first. Leaks are not looked for, as they would be the programs'. Call it
# after the tests that need a clean environment, and compilers with LD_PRELOAD=''.
allow_sanitizer()
{
    if grep -aq __tsan_init "$BUILD/cuda/libcudart.so.13"; then
        LD_PRELOAD=$(readlink -f "$("${CC:-cc}" -print-file-name=libtsan.so)")
        [ -f "$LD_PRELOAD" ] || { echo "this sanitizer cannot be brought into other programs"; exit 77; }
        export LD_PRELOAD
        return 0
    fi
    grep -aq __asan_init "$BUILD/cuda/libcudart.so.13" || return 0
    asan=$("${CC:-cc}" -print-file-name=libasan.so)
    [ -f "$asan" ] || { echo "this sanitizer cannot be brought into other programs"; exit 77; }
    export LD_PRELOAD=$asan ASAN_OPTIONS=detect_leaks=0
}
