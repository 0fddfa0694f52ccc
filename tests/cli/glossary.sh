#!/usr/bin/env bash
# The glossary: every state, counter and metric has an entry, and the page is what the tables say.
. tests/tools/cli.sh

explains() # WORD TEXT
{
    "$SIMSM" explain "$1" >"$scratch/out" || fail "explain '$1' failed"
    grep -qF -- "$2" "$scratch/out" || fail "explain '$1' does not say '$2'"
    ! grep -qF '(null)' "$scratch/out" || fail "explain '$1' has a part without text"
}

# States, by name, by title and by letter; each says what helps.
states=0
while IFS=$'\t' read -r name letter title; do
    explains "$name" "helps: "
    explains "$title" "($name, letter $letter)"
    states=$((states + 1))
done < <(sed -nE 's/^STATE\([A-Z_]+, "([a-z_]+)", .(.)., [^"]*"([^"]*)".*/\1\t\2\t\3/p' include/simsm/defs/warp_states.def)
[ "$states" = "$(grep -c '^STATE(' include/simsm/defs/warp_states.def)" ] || fail "$states states were read"

# Counters and metrics: an entry, and a row in docs/metrics.md.
figures=0
while read -r name unit; do
    explains "$name" "$name $unit"
    grep -qF "| \`$name\` |" docs/metrics.md || fail "docs/metrics.md has no row of $name"
    figures=$((figures + 1))
done < <("$SIMSM" metrics | sed -nE 's/^([a-z0-9_]+__[^ ]*) (\[.*\])$/\1 \2/p')
[ "$figures" -gt 150 ] || fail "only $figures figures were listed"

# The page: its tables, and the pages that it names.
sed -n '/^## Words/,$p' docs/glossary.md >"$scratch/page"
"$SIMSM" explain --markdown | sed 1d >"$scratch/tables"
diff "$scratch/tables" "$scratch/page" >"$scratch/out" ||
    fail "docs/glossary.md is not what simsm explain --markdown prints"
if "$SIMSM" explain --markdown --lang zh >"$scratch/chinese" 2>"$scratch/err"; then
    sed -n '/^## 词语/,$p' docs/glossary.zh.md >"$scratch/page"
    sed 1d "$scratch/chinese" | diff - "$scratch/page" >"$scratch/out" ||
        fail "docs/glossary.zh.md is not what simsm explain --markdown --lang zh prints"
    # Words in Chinese, whatever the language: those that the entries begin with, and states' titles.
    words=0
    while read -r word; do
        LC_ALL=C.UTF-8 explains "$word" "$word"
        words=$((words + 1))
    done < <(sed -nE 's/^\| [^|]* \| [^|]* \| ([^|。]*)。.*/\1/p; s/^\| ([^|]*) \| `.` \|.*/\1/p' "$scratch/chinese")
    [ "$words" -gt 80 ] || fail "only $words words in Chinese were read"
    explains 占用率 '  详见：docs/lessons/zh/08-occupancy.md'
    "$SIMSM" explain dram__bytes_read.sum --lang zh | grep -q '从 DRAM 读取的字节数' ||
        fail "a counter is not explained in Chinese"
    "$SIMSM" metrics | sed -nE 's/^([a-z0-9_]+__[^ ]*) .*/\1/p' | while read -r name; do
        "$SIMSM" explain "$name" --lang zh | grep -q '是一个.*[^ -~].*[^ -~]' ||
            fail "explain $name --lang zh is not Chinese"
    done
fi
grep -oE '\]\([a-z0-9/-]+\.md\)' docs/glossary.md | sort -u | tr -d '])(' | while read -r page; do
    [ -f "docs/$page" ] || fail "docs/glossary.md names docs/$page, which does not exist"
done
grep -qF 'glossary.md' docs/model.md || fail "docs/model.md does not link to the glossary"

explains WAVEFRONT "pass (wavefront)"
explains "little's law" "throughput x latency"

wrong() # TEXT ARGUMENT...
{
    local text=$1 status=0
    shift
    "$SIMSM" explain "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] || fail "explain $*: status $status"
    grep -qF -- "$text" "$scratch/err" || fail "explain $*: no '$text'"
}
wrong "did you mean 'warp'?" warpp
wrong "neither a word" nothing-like-this
wrong "--cycle C --slot" run.smtl
wrong "--cycle C --slot" run.smtl --cycle 5
wrong "name a word"
wrong "leave out 'warp'" --markdown warp
