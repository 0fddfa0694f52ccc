# awk -f excerpt.awk QUOTED OUTPUT: the lines of OUTPUT that stand where QUOTED has its lines.
#
# QUOTED is an excerpt: "..." stands for any lines. The first line behind "..." is looked for, as
# it is or else by its beginning, from where the line before it was found; the lines behind it are
# the next ones.

# What a line begins with: its words up to the first one with a digit or a bar in it.
function beginning(line,    word, n, i, key)
{
    n = split(line, word, " ")
    key = word[1]
    for (i = 2; i <= n && word[i] !~ /[0-9█▉▊▋▌▍▎▏]/; i++)
        key = key " " word[i]
    return key
}

function find(line, from,    i)
{
    for (i = from; i <= lines; i++) {
        if (output[i] == line)
            return i
    }
    for (i = from; i <= lines; i++) {
        if (beginning(output[i]) == beginning(line))
            return i
    }
    return 0
}

NR == FNR { quoted[++wanted] = $0; next }
{ output[++lines] = $0 }

END {
    at = 1
    for (q = 1; q <= wanted; q++) {
        if (quoted[q] == "...") {
            gap = 1
            print "..."
            continue
        }
        found = gap ? find(quoted[q], at) : at <= lines ? at : 0
        if (!found) {
            print "(nothing begins like) " quoted[q]
            continue
        }
        gap = 0
        print output[found]
        at = found + 1
    }
    while (!gap && at <= lines)
        print output[at++]
}
