# Completion in bash. `simsm complete` has the words: they come from the program's own tables.
# shellcheck shell=bash
_simsm()
{
    local line=${COMP_LINE:0:COMP_POINT} current word
    local -a words
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=("")
    current=${words[${#words[@]} - 1]}
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [ "$word" = @files ]; then
            compopt -o filenames
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen -f -- "${current##*=}")
            continue
        fi
        [[ $word != *= ]] || compopt -o nospace
        # Readline replaces only what follows the last = of the word.
        [[ $current != *=* ]] || word=${word#"${current%=*}="}
        COMPREPLY+=("$word")
    done < <("$1" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _simsm simsm
