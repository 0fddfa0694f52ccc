#!/usr/bin/env bash
# The manual pages describe exactly the commands and long options that --help lists.
. tests/tools/cli.sh

page=docs/simsm.1

# Prints "command --option" for each option in a command's help; every command has --help, --usage.
options_of() # COMMAND...
{
    "$SIMSM" "$@" --help | sed -nE 's/^ {1,8}(-[A-Za-z?], ?)? *--([a-z][a-z-]*).*/\2/p' |
        grep -vxE 'help|usage|version' | sed "s/^/${1:-CONFIG} --/" || true
}

commands=$("$SIMSM" --help | sed -n '/^Commands/,/^$/p' | sed -nE 's/^  ([a-z-]+) .*/\1/p')
[ -n "$commands" ] || { echo "simsm --help lists no commands"; exit 1; }
{
    options_of
    for command in $commands; do
        echo "$command"
        [ "$command" = env ] || options_of "$command"
    done
} | sort -u >"$scratch/program"

# The page says that env takes the options of run.
diff <(options_of env | sed 's/^env/run/') <(options_of run) || {
    echo "simsm env and simsm run differ in options"
    exit 1
}

awk '
    /^\.Ss simsm / {
        command = $3
        if (command != "CONFIG")
            print command
    }
    /^\.Sh / { if ($2 != "OPTIONS") command = "" }
    command && /^\.It .*Fl Fl / {
        match($0, /Fl Fl [a-z-]+/)
        print command, "--" substr($0, RSTART + 6, RLENGTH - 6)
    }' "$page" | sort -u >"$scratch/page"

if ! diff "$scratch/program" "$scratch/page" >"$scratch/diff"; then
    echo "$page and --help differ (<: in the program alone, >: in the page alone):"
    cat "$scratch/diff"
    exit 1
fi

# Each variable that carries an option into a program is named at its option.
sed -n 's/^SETTING.*"\(SIMSM_[A-Z_]*\)".*/\1/p' sim/options/options.def | grep -vxE 'SIMSM_(CONFIG|COMMAND|AGAIN)' | sort >"$scratch/program"
sed -n 's/^\.Pq Ev \(SIMSM_[A-Z_]*\).*/\1/p' "$page" | sort -u >"$scratch/page"
[ -s "$scratch/program" ] || { echo "sim/options/options.def has no variables"; exit 1; }
if ! diff "$scratch/program" "$scratch/page" >"$scratch/diff"; then
    echo "$page and sim/options/options.def differ in variables (<: in the table alone):"
    cat "$scratch/diff"
    exit 1
fi

# The viewer's, if it is built.
[ -n "${VIEW-}" ] || exit 0
page=docs/simsm-view.1
"$VIEW" --help | sed -nE 's/^ {1,8}(-[A-Za-z?], ?)? *(--[a-z][a-z-]*).*/\2/p' |
    grep -vxE -e '--(help|usage|version)' | sort -u >"$scratch/program"
sed -nE 's/^\.It Fl Fl ([a-z-]+).*/--\1/p' "$page" | sort -u >"$scratch/page"
[ -s "$scratch/program" ] || { echo "simsm-view --help lists no options"; exit 1; }
if ! diff "$scratch/program" "$scratch/page" >"$scratch/diff"; then
    echo "$page and --help differ (<: in the program alone, >: in the page alone):"
    cat "$scratch/diff"
    exit 1
fi
