#!/usr/bin/env bash
# libcuda.so.1 is the implementation, and libcudart.so.* pass calls on to it: what they export, how they
# find each other, and that a process has one device however many of them it loads.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

runtimes=(libcudart.so.13 libcudart.so.12 libcudart.so.11.0)
exported() # LIBRARY
{
    nm -D --defined-only "$BUILD/cuda/$1" | awk '$2 ~ /[TW]/ { sub(/@.*/, "", $3); print $3 }' | sort
}

# functions.def is the list: of what is implemented, and of what is exported.
"${CC:-cc}" -E -P -x c "-DFUNCTION(name)=name" -I sim sim/cuda/functions.def | grep . | sort >"$scratch/listed"
[ -z "$(uniq -d "$scratch/listed")" ] || fail "twice in functions.def: $(uniq -d "$scratch/listed")"
nm --defined-only "$BUILD/cuda/libcuda.so.1" | awk '$2 ~ /[tT]/ && $3 ~ /^(__)?cuda[A-Z][A-Za-z0-9_]*$/ { print $3 }' |
    sort -u >"$scratch/implemented"
diff "$scratch/listed" "$scratch/implemented" || fail "functions.def lists other functions than there are"
for runtime in "${runtimes[@]}"; do
    exported "$runtime" | diff "$scratch/listed" - || fail "$runtime exports other functions"
    objdump -p "$BUILD/cuda/$runtime" | grep -q 'NEEDED *libcuda.so.1$' || fail "$runtime does not need libcuda.so.1"
done
if exported libcuda.so.1 | grep -v '^cu[A-Z]'; then
    fail "libcuda.so.1 exports more than the driver API"
fi

# A library's constructor calls the runtime before main; the runtime finds the driver beside itself.
cat >"$scratch/early.c" <<'C'
int cudaRuntimeGetVersion(int *);
int early;
__attribute__((constructor)) static void begin(void) { cudaRuntimeGetVersion(&early); }
C
cat >"$scratch/program.c" <<'C'
#include <stdio.h>
extern int early;
int main(void) { printf("%d\n", early); return 0; }
C
LD_PRELOAD='' "${CC:-cc}" -shared -fPIC -o "$scratch/libearly.so" "$scratch/early.c" "$BUILD/cuda/libcudart.so.12"
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/program" "$scratch/program.c" "$scratch/libearly.so" -Wl,-rpath,"$scratch" \
    -Wl,--allow-shlib-undefined
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/layers" tests/data/cuda/layers.c -ldl
printf 'int cuGetExportTable(const void **table, const void *id) { return table && id ? 801 : 1; }\n' >"$scratch/other.c"
LD_PRELOAD='' "${CC:-cc}" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$scratch/libcuda.so.1" "$scratch/other.c"
allow_sanitizer
version=$(LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$BUILD/cuda/libcudart.so.12 LD_LIBRARY_PATH=$scratch "$scratch/program") ||
    fail "a constructor's call: status $?"
[ "$version" = 12090 ] || fail "a constructor is told of version $version"

# Not with another libcuda.so.1.
status=0
LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$scratch/libcuda.so.1 LD_LIBRARY_PATH=$BUILD/cuda "$scratch/program" \
    >"$scratch/out" 2>"$scratch/err" || status=$?
{ [ "$status" -eq 1 ] && grep -q "another libcuda.so.1 is loaded first" "$scratch/err"; } ||
    fail "another driver: status $status: $(cat "$scratch/out" "$scratch/err")"

for driver in '' "$BUILD/cuda/libcuda.so.1"; do
    "$SIMSM" run t4 --any --quiet -- "$scratch/layers" ${driver:+"$driver"} >"$scratch/out" 2>"$scratch/err" ||
        fail "layers: $(cat "$scratch/out" "$scratch/err")"
    [ "$(cat "$scratch/out")" = "PASS layers" ] || fail "layers: $(cat "$scratch/out" "$scratch/err")"
done
