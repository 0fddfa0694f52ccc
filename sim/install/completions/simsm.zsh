#compdef simsm
# Completion in zsh. `simsm complete` has the words: they come from the program's own tables.
local line word
local -a plain keys
for line in ${(f)"$($words[1] complete -- ${(@)words[2,CURRENT-1]} "$PREFIX" 2>/dev/null)"}; do
    word=${line%%$'\t'*}
    if [[ $word == @files ]]; then
        [[ $PREFIX != *=* ]] || compset -P '*='
        _files
    elif [[ $word == *= ]]; then
        keys+=("${word//:/\\:}")
    else
        plain+=("${word//:/\\:}:${line#*$'\t'}")
    fi
done
_describe 'simsm' plain
_describe 'key' keys -S ''
