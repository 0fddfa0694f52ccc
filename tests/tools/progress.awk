# How far a log of ninja or of ctest has come, in one line: the last "[12/850]" of ninja, or the number
# of tests that have ended and the names of those that run.
match($0, /^\[[0-9]+\/[0-9]+\]/) { far = substr($0, RSTART + 1, RLENGTH - 2) }

/^ +Start +[0-9]+: / { running[$NF] = 1 }

/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
    far = $1
    name = $0
    sub(/^[^#]*#[0-9]+: /, "", name)
    sub(/ .*/, "", name)
    delete running[name]
}

END {
    for (name in running)
        names = names (names == "" ? ", running " : " ") name
    print (far == "" ? "begun" : far) names
}
