# Prints how the last run in a file that bench.sh has written differs from the run before it of the
# same processor and as many rounds.
#
# What is compared is steps/inst: the machine's own speed at the time, the yardstick, is taken out.
# The noise of a figure is the spread of its rounds; a change that is smaller than that of both runs
# together says nothing.
BEGIN {
    FS = ","
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
{
    last = $column["date"]
    date[NR] = last
    version[NR] = $column["version"]
    machine[NR] = $column["processor"] "," $column["rounds"]
    kernel[NR] = $column["gpu"] "," $column["kernel"]
    steps[NR] = $column["steps_per_inst"]
    speed[NR] = $column["minst_per_second"]
    noise[NR] = $column["noise_percent"]
}
END {
    for (now = 2; now <= NR; now++) {
        if (date[now] != last)
            continue
        before = 0
        for (i = 2; i < now; i++)
            if (date[i] != last && machine[i] == machine[now] && kernel[i] == kernel[now])
                before = i
        if (!before)
            continue
        if (!rows++) {
            printf "\nbeside %s of %s, on the same processor, by steps/inst:\n", version[before], date[before]
            printf "%-6s %-10s %14s %12s %9s %9s\n", "GPU", "kernel", "M inst/second", "before", "change",
                "noise"
        }
        change = 100 * (steps[before] / steps[now] - 1)
        split(kernel[now], name, ",")
        printf "%-6s %-10s %14.2f %12.2f %+8.1f%% ", name[1], name[2], speed[now], speed[before], change
        if (noise[before] == "" || noise[now] == "") {
            print "        ?  one round has no noise to say whether that is much"
            continue
        }
        both = sqrt(noise[before] ^ 2 + noise[now] ^ 2)
        small = change < both && -change < both
        said = change > 0 ? "faster" : "slower"
        printf "%8.1f%%  %s\n", both, small ? "within the noise" : said
    }
    if (!rows)
        printf "\nnothing to compare with: the first run of this kind on this processor\n"
}
