#!/usr/bin/env bash
# The package of ./dev deb: what it holds, what it depends on, and that its programs and its library
# run from where dpkg unpacks them.
set -euo pipefail
for tool in dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || { echo "there is no $tool: no package was built"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if DEBEMAIL='' ./dev deb "$scratch" 2>/dev/null; then
    echo "a package without a maintainer was built"
    exit 1
fi
DEBEMAIL=maintainer@example.org ./dev deb "$scratch"
package=$(echo "$scratch"/simsm_*.deb)
dpkg-deb -f "$package" Depends | grep 'libc6 (>=' | grep libjansson4 | grep -q libsdl2 ||
    { echo "dependencies: $(dpkg-deb -f "$package" Depends)"; exit 1; }
[ "$(dpkg-deb -f "$package" Maintainer)" = "The simsm authors <maintainer@example.org>" ] ||
    { echo "maintainer: $(dpkg-deb -f "$package" Maintainer)"; exit 1; }
dpkg-deb -x "$package" "$scratch/root"
for file in bin/simsm bin/simsm-view include/simsm/simsm.h lib/libsimsm.so.0 lib/simsm/libcudart.so.12 \
    share/man/man1/simsm.1.gz share/doc/simsm/copyright share/doc/simsm/changelog.gz \
    share/bash-completion/completions/simsm share/simsm/configs/h200.yaml share/simsm/traces/divergent.trace; do
    [ -e "$scratch/root/usr/$file" ] || { echo "the package lacks $file"; exit 1; }
done
root=$scratch/root/usr
(cd "$scratch" && env -i "$root/bin/simsm" t4 "$root/share/simsm/traces/lessons/branch.trace") | grep -q cycles ||
    { echo "its command does not run"; exit 1; }
env -i "$root/bin/simsm-view" --help | grep -q "^Usage: simsm-view" || { echo "its viewer does not run"; exit 1; }
"${CC:-cc}" -std=c17 -I "$root/include" tests/examples/library.c -L "$root/lib" -lsimsm -o "$scratch/library"
LD_LIBRARY_PATH=$root/lib "$scratch/library" | grep -q cycles || { echo "its library does not run"; exit 1; }
if command -v lintian >/dev/null; then
    ! lintian --tag-display-limit 0 "$package" 2>/dev/null | grep '^E:' || exit 1
else
    echo "lintian is not installed: the package's form was not checked"
fi
