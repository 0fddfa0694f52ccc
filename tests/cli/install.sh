#!/usr/bin/env bash
# An installed tree is complete: a program of ten lines finds the library through pkg-config and
# runs, the command runs, and what a user looks for is there.
. tests/tools/cli.sh

command -v pkg-config >/dev/null || { echo "pkg-config is not installed"; exit 77; }
setting() # NAME
{
    sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt"
}

prefix="$scratch/a prefix"
cmake --install "$BUILD" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; exit 1; }

for file in bin/simsm include/simsm/simsm.h include/simsm/defs/counters.def \
    share/bash-completion/completions/simsm share/zsh/site-functions/_simsm \
    share/fish/vendor_completions.d/simsm.fish \
    share/man/man1/simsm.1 share/doc/simsm/README.md share/doc/simsm/architecture.md; do
    [ -f "$prefix/$file" ] || { echo "$file is missing"; exit 1; }
done
for folder in configs traces; do
    for file in "$folder"/*; do
        [ ! -f "$file" ] || [ -f "$prefix/share/simsm/$file" ] || { echo "$file is missing"; exit 1; }
    done
done

"$prefix/bin/simsm" --version
# The configurations of a tree that was moved are found from its program.
(cd / && "$prefix/bin/simsm" config show t4) | grep -q 'Tesla T4' || { echo "no configuration t4"; exit 1; }
(cd / && "$prefix/bin/simsm" run t4 -- nvidia-smi -L | grep -q 'GPU 0: Tesla T4 ') || { echo "no nvidia-smi"; exit 1; }
# The lessons, with their traces, from an installed tree that has been moved.
(cd "$scratch" && XDG_STATE_HOME=$scratch "$prefix/bin/simsm" learn 5 </dev/null | grep -q '^    33  ') ||
    { echo "simsm learn does not run from an installed tree"; exit 1; }
(cd "$scratch" && XDG_STATE_HOME=$scratch "$prefix/bin/simsm" learn 4 --exercise 1 --answer 12 | grep -qx 'Solved.') ||
    { echo "simsm learn does not simulate from an installed tree"; exit 1; }
for file in sim/policy/examples/*.c; do
    name=$(basename "$file" .c)
    [ -f "$prefix/share/simsm/policies/$name.c" ] || { echo "$name.c is missing"; exit 1; }
    (cd / && "$prefix/bin/simsm" policies "$name") | grep -q "^$name: " || { echo "no $name"; exit 1; }
done

pc=$(find "$prefix" -name simsm.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
cat >"$scratch/program.c" <<'C'
#include <simsm/simsm.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct simsm_config config;
    struct simsm_error error;
    char text[256];
    int status = simsm_config_load(&config, "no such file", &error);
    puts(simsm_error_text(&error, text, sizeof text));
    return status != SIMSM_BAD_INPUT || !strstr(text, "no such file");
}
C
# pkg-config quotes the prefix's space for a shell.
flags=()
eval "flags=($(pkg-config --cflags --libs simsm))"
sanitize=$(setting SIMSM_SANITIZE)
"${CC:-cc}" ${sanitize:+"-fsanitize=$sanitize"} -std=c17 -Wall -Wextra -Werror \
    "$scratch/program.c" "${flags[@]}" -o "$scratch/program"
libdir=$(cd "$(dirname "$pc")/.." && pwd)
LD_LIBRARY_PATH="$libdir" "$scratch/program"

# A static one has machine code alone: with the compiler's intermediate code a small program would
# take long to link.
if [ -f "$libdir/libsimsm.a" ] && command -v readelf >/dev/null; then
    ! readelf -SW "$libdir/libsimsm.a" | grep -q '\.gnu\.lto_' || { echo "libsimsm.a has intermediate code"; exit 1; }
fi

# Of a shared library only the public names are visible.
if [ "$(setting BUILD_SHARED_LIBS)" = ON ]; then
    others=$(nm -D --defined-only "$libdir/libsimsm.so" | awk '$3 !~ /^simsm_/ { print $3 }')
    [ -z "$others" ] || { echo "visible, but not public: $others"; exit 1; }
fi

version=$(sed -n 's/.*SIMSM_VERSION "\(.*\)".*/\1/p' include/simsm/simsm.h)
[ "$(pkg-config --modversion simsm)" = "$version" ] || { echo "simsm.pc has another version"; exit 1; }
