#!/usr/bin/env bash
# Compiles the libraries of the page with Emscripten, from the sources of Debian's packages:
#     libraries.sh FOLDER
# FOLDER/prefix has headers and archives then. The sources come from where apt gets its packages.
set -euo pipefail
work=$1
prefix=$work/prefix
mkdir -p "$work/src" "$work/lists"
cd "$work/src"

# The machine's list of packages, read as a list of sources.
source_list()
{
    {
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
        for file in /etc/apt/sources.list.d/*.sources; do
            [ -f "$file" ] || continue
            awk 'BEGIN { RS = ""; FS = "\n" } {
                uris = suites = parts = ""; keys = ""
                for (i = 1; i <= NF; i++) {
                    split($i, word, ": *"); value = substr($i, index($i, ":") + 1)
                    if (word[1] == "URIs") uris = value
                    if (word[1] == "Suites") suites = value
                    if (word[1] == "Components") parts = value
                    if (word[1] == "Signed-By") { gsub(/^ +/, "", value); keys = "[signed-by=" value "]" }
                    if (word[1] == "Types" && value !~ /deb/) next
                }
                n = split(uris, uri, " "); m = split(suites, suite, " ")
                for (i = 1; i <= n; i++) for (j = 1; j <= m; j++)
                    print "deb-src", keys, uri[i], suite[j], parts
            }' "$file"
        done
    } | sort -u
}

source_list >"$work/sources.list"
options=(-q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
apt-get "${options[@]}" update || true # a list of packages that has no sources is no harm
apt-get "${options[@]}" source libyaml jansson libzstd

compile() # NAME FOLDER [OPTION...]
{
    emcmake cmake -S "$2" -B "$work/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-Oz -DNDEBUG" \
        -DCMAKE_INSTALL_PREFIX="$prefix" "${@:3}"
    ninja -C "$work/$1" install
}

compile yaml libyaml-*/ -DBUILD_TESTING=OFF
compile jansson jansson-*/ -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
compile zstd libzstd-*/build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF \
    -DZSTD_MULTITHREAD_SUPPORT=OFF -DZSTD_LEGACY_SUPPORT=OFF
touch "$prefix/complete"
