#!/usr/bin/env bash
# --lang and LANG: what people read is Chinese, what programs read is English.
. tests/tools/cli.sh

file=$scratch/run.smtl
"$SIMSM" t4 traces/divergent.trace --quiet --timeline "$file" --json "$scratch/english.json"
"$SIMSM" explain "$file" --lang en --cycle 5000 --slot 0:0:1 >"$scratch/english"
"$SIMSM" explain "$file" --lang zh --cycle 5000 --slot 0:0:1 >"$scratch/chinese" ||
    { grep -q "^MSGFMT:.*NOTFOUND" "$BUILD/CMakeCache.txt" && { echo "built without msgfmt"; exit 77; }; exit 1; }
grep -q "Warp .* lives there" "$scratch/english" || fail "--lang en is not English"
grep -q "线程块 .* 的线程束" "$scratch/chinese" || fail "--lang zh is not Chinese"
LC_ALL='' LANG=zh_CN.UTF-8 "$SIMSM" explain "$file" --cycle 5000 --slot 0:0:1 >"$scratch/out"
cmp -s "$scratch/chinese" "$scratch/out" || fail "LANG does not choose the language"
awk '{ gsub(/[^ -~]/, "xx") } length > 220 { exit 1 }' "$scratch/chinese" || fail "lines are not wrapped"

LC_ALL=zh_CN.UTF-8 "$SIMSM" t4 traces/divergent.trace --quiet --json "$scratch/chinese.json"
cmp -s "$scratch/english.json" "$scratch/chinese.json" || fail "JSON depends on LC_ALL"
"$SIMSM" explain "$file" --lang xx 2>"$scratch/err" && fail "--lang xx is accepted"
grep -q "^simsm explain: --lang 'xx': expected en or zh$" "$scratch/err" || fail "no message on --lang xx"

"$SIMSM" timeline "$file" --lang zh --cycle 5000 >"$scratch/out"
grep -q '个槽位 [a-z_]*：[0-9]' "$scratch/out" || fail "timeline --cycle is not Chinese"
! grep -q '[：，。；（] ' "$scratch/out" || fail "a blank follows a mark of Chinese"

[ -n "${VIEW:-}" ] || exit 0
"$VIEW" "$file" --lang en --screen overview --csv "$scratch/english.csv"
"$VIEW" "$file" --lang zh --screen overview --csv "$scratch/chinese.csv"
cmp -s "$scratch/english.csv" "$scratch/chinese.csv" || fail "CSV depends on --lang"
"$SIMSM" report "$file" --lang zh --html "$scratch/page.html"
grep -q '<html lang="zh">' "$scratch/page.html" || fail "the page does not say that it is Chinese"
grep -q '<h2>什么限制了该核函数</h2>' "$scratch/page.html" || fail "the page is not Chinese"
"$SIMSM" t4 traces/lessons/full_wave.trace --quiet --timeline "$scratch/fma.smtl"
"$VIEW" "$scratch/fma.smtl" --lang zh --screen overview --svg "$scratch/fma.svg"
grep -q '>fma 流水线<' "$scratch/fma.svg" || fail "the busiest pipe has no Chinese name"
SIMSM_FONT=builtin "$VIEW" "$file" --lang zh --png "$scratch/zh.png" 2>"$scratch/err"
grep -q "no font with Chinese characters" "$scratch/err" || fail "a missing font is not told"
SIMSM_FONT=builtin "$VIEW" "$file" --lang en --png "$scratch/en.png"
cmp -s "$scratch/zh.png" "$scratch/en.png" || fail "without a font the picture is not English"
