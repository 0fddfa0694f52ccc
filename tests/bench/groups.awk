# Sums what files of the simulator cost, by group: lines `COST[ COST...] PATH` become `GROUP COST...`,
# each in percent of all, as the table of docs/speed.md has them.
function group(path)
{
    for (i = 1; i <= rules; i++)
        if (path ~ pattern[i])
            return name[i]
    return "other"
}
function rule(what, where)
{
    name[++rules] = what
    pattern[rules] = where
}
BEGIN {
    rule("streams", "front/|trace/|exec/|sass/|record/|accelsim/|input/|model/")
    rule("fetch", "core/(fetch|icache)")
    rule("issue", "core/(issue|choose|classify|account|slot|regfile|depend|core_wait|sm\\.|sm_state|wheel|op_table)|policy/|plugin/")
    rule("queues", "core/(queue|flight|phase)")
    rule("blocks", "core/block|gpu/(dispatch|gpu_gap)")
    rule("memory stage", "mem/(mem_sm|memop|global|coalesce|banks|stage|requests|flat|timing|calendar|ids)")
    rule("L1", "mem/(l1|stores|fast_sm|fast_cache)")
    rule("misses", "mem/(mshr|replies)")
    rule("tags", "mem/(tags|recency)") # of L1, L2 and DRAM
    rule("L2", "mem/(l2|lrc|turnaround|unwritten|mem_spread|port)")
    rule("DRAM", "mem/dram")
    rule("exchange", "mem/(mem\\.|outbox|send|fast\\.)|gpu/")
    rule("base", "base/") # bits, bytes, the arena and sorting
    order = "streams,fetch,issue,queues,blocks,memory stage,L1,misses,tags,L2,DRAM,exchange,base,other"
}
{
    found = group($NF)
    for (c = 1; c < NF; c++) {
        cost[found, c] += $c
        all[c] += $c
    }
    columns = NF - 1
}
END {
    count = split(order, names, ",")
    for (n = 1; n <= count; n++) {
        printf "%-14s", names[n]
        for (c = 1; c <= columns; c++)
            printf " %8.1f %%", all[c] ? 100 * cost[names[n], c] / all[c] : 0
        printf "\n"
    }
}
