# Completion in fish. `simsm complete` has the words: they come from the program's own tables.
function __simsm_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] complete -- $words[2..-1] "$current" 2>/dev/null
end

function __simsm_wants_files
    __simsm_words | string match -q '@files*'
end

complete -c simsm -f -a '(__simsm_words | string match -v "@files*")'
complete -c simsm -F -n __simsm_wants_files
