# The head of every test of the command, which sources this file from the top of the tree:
#   scratch      a folder of the test's own, gone when it ends
#   fail WORDS   ends the test; what the command wrote last, if the test kept it there, is shown
# shellcheck shell=bash
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail()
{
    echo "$(basename "$0"): $*" >&2
    for kept in out err; do
        [ ! -s "$scratch/$kept" ] || sed "s/^/$kept: /" "$scratch/$kept" >&2
    done
    exit 1
}
