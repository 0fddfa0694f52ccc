# Summarises what `./dev test` has written to build/tests.log: each failure with the end of its output
# and the command that runs it again, each skipped test with its reason, one line for each build, and as
# the last line the totals. The log holds, for each build, one line of `./dev test` and what `ctest -V`
# prints:
#   dev: built PRESET SECONDS | dev: not built PRESET | dev: left out PRESET REASON
#   dev: tested PRESET SECONDS

BEGIN {
    TAIL = 20 # lines of output shown for a failure
    SLOW = 5  # tests named as the slowest of a build
}

/^dev: built / { begin($3, $4) }

/^dev: not built / {
    begin($4, 0)
    total["failed"]++
    failures = failures sprintf("FAILED: %s cannot be built: build/%s.log\n", preset, preset)
    lines = lines sprintf("  %-11s not built\n", preset)
}

/^dev: left out / {
    line = sprintf("  %-11s left out:", $4)
    sub(/^dev: left out [^ ]* /, "")
    lines = lines line " " $0 "\n"
}

/^dev: tested / {
    seconds += built + $4
    lines = lines sprintf("  %-11s built in %d s, tested in %d s: %s\n", preset, built, $4, counts(here))
    if (slowest())
        lines = lines sprintf("  %-11s slowest: %s\n", "", named)
}

# ctest -V writes the number of the test before each line of its output.
/^[0-9]+: / {
    id = $1 + 0
    text = substr($0, index($0, ": ") + 2)
    if (text ~ /^Test timeout computed to be/)
        count[id] = 0
    else
        output[id, count[id]++] = text
    next
}

/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { note() }

# One test has ended: "12/225 Test #7: cli/run ......***Failed    0.03 sec".
function note(    line, id, name, outcome, seconds)
{
    line = $0
    sub(/^[^#]*#/, "", line)
    id = line + 0
    sub(/^[0-9]+: /, "", line)
    name = line
    sub(/ .*/, "", name)
    seconds = line ~ / sec$/ ? $(NF - 1) : 0
    outcome = line ~ / Passed / ? "passed" : line ~ /\*\*\*Skipped/ ? "skipped" : "failed"
    total[outcome]++
    here[outcome]++
    took[name] = seconds
    if (outcome == "failed")
        failures = failures failure(id, name, line, seconds)
    if (outcome == "skipped")
        skips = skips sprintf("skipped: %s (%s): %s\n", name, preset,
                              count[id] ? output[id, count[id] - 1] : "no reason given")
}

function failure(id, name, line, seconds,    reason, text, i)
{
    reason = line
    sub(/^[^*]*\*\*\*/, "", reason)
    sub(/:? +[0-9.]+ sec$/, "", reason)
    text = sprintf("FAILED: %s (%s) after %.1f s: %s\n", name, preset, seconds, reason)
    for (i = count[id] > TAIL ? count[id] - TAIL : 0; i < count[id]; i++)
        text = text "    " output[id, i] "\n"
    return text sprintf("  again: ./dev test %s -R '^%s$'\n\n", preset, name)
}

function begin(name, seconds,    key)
{
    preset = name
    built = seconds
    split("", here)
    split("", took)
    split("", count)
}

function counts(of)
{
    return sprintf("%d passed, %d failed, %d skipped", of["passed"], of["failed"], of["skipped"])
}

# Sets `named` to the slowest tests of this build; false if none took a second.
function slowest(    i, name, most)
{
    named = ""
    for (i = 0; i < SLOW; i++) {
        most = ""
        for (name in took) {
            if (most == "" || took[name] > took[most])
                most = name
        }
        if (most == "" || took[most] < 1)
            break
        named = named (i ? ", " : "") sprintf("%s %d s", most, took[most])
        delete took[most]
    }
    return named != ""
}

END {
    printf "\n%s%s%s%s", failures, skips, skips ? "\n" : "", lines
    printf "  %-11s %d min %d s\n\n", "all", seconds / 60, seconds % 60
    print counts(total)
}
