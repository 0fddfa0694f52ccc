/* Whatever predicates an operation on registers has as results, it writes them: they do not depend
 * on what was in them before. Random words of every encoding. */
#include "sass/encoding.h"
#include "sass_alu_fixture.h"

enum { WORDS = 150, FIRST = 0, SECOND = 1 };

static unsigned tried[SASS_OP_COUNT];

/* Puts `index` into a predicate operand of a word. */
static void place(struct word *word, const struct operand_spec *spec, unsigned index)
{
    *word =
        with(*word, spec->range.low, spec->range.count, spec->from_last ? SASS_PT - index : index);
}

/* A random word of an encoding with results in P0 and P1 (or UP0 and UP1) and none of these as a
 * source; false: it has no such result. */
static bool random_word(const struct encoding_table *table, const struct encoding *encoding,
                        uint64_t *random, struct word *word)
{
    bool has = false;
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t any =
            next_random(random) & encoding->known[half] & ~encoding->required[half];
        word->half[half] = (any & ~encoding->mask[half]) | encoding->value[half] |
                           (encoding->defaults[half] & encoding->required[half]);
    }
    *word = with(*word, 12, 4, SASS_PT);
    for (unsigned i = 0; i < encoding->operand_count; i++) {
        const struct operand_spec *spec = &table->operand[encoding->operands + i];
        if (spec->kind != SASS_PREDICATE && spec->kind != SASS_UNIFORM_PREDICATE)
            continue;
        const bool result = spec->role == SASS_PU || spec->role == SASS_PV;
        has |= result;
        place(word, spec, result ? spec->role == SASS_PV : SASS_PT - i % 2);
    }
    return has;
}

static void start(struct machine *machine, uint32_t sm, uint64_t random, uint32_t before)
{
    machine_start(machine, sm);
    for (unsigned row = 0; row < SASS_RZ; row++)
        for (unsigned lane = 0; lane < 32; lane++)
            machine->warp->r[row][lane] = (uint32_t)next_random(&random);
    for (unsigned row = 0; row < SASS_URZ; row++)
        machine->warp->ur[row] = (uint32_t)next_random(&random);
    for (unsigned p = FIRST; p <= SECOND; p++)
        machine->warp->p[p] = machine->warp->up[p] = before;
    machine->warp->live = UINT32_MAX;
}

static void check(const struct word *word, uint32_t sm, uint64_t random)
{
    static const struct exec_bank none[EXEC_BANKS];
    static struct machine zeros, ones;
    struct sass_inst sass;
    struct exec_inst inst;
    const char *why = NULL;
    char text[200];
    sass_decode(&sass, word->half, 0, sm);
    if (sass.op == SASS_OP_UNKNOWN || sass.unread[0] || sass.unread[1])
        return;
    if (sass.op == SASS_OP_R2UR && sass_mod(&sass, SASS_MOD_OR))
        return; /* adds to what is there */
    for (unsigned role = 0; role < SASS_ROLES; role++)
        if (sass.operand[role].index + sass.operand[role].words > SASS_URZ)
            return;
    exec_fill(&inst, &sass, none);
    if (!exec_prepare_alu(&inst, &why))
        return;
    tried[sass.op]++;
    start(&zeros, sm, random, 0);
    start(&ones, sm, random, UINT32_MAX);
    inst.run(zeros.warp, &inst, UINT32_MAX);
    inst.run(ones.warp, &inst, UINT32_MAX);
    const bool uniform = sass.operand[SASS_PU].kind == SASS_UNIFORM_PREDICATE;
    for (unsigned p = FIRST; p <= SECOND; p++) {
        if (sass.operand[p == FIRST ? SASS_PU : SASS_PV].kind == SASS_NONE)
            continue;
        const uint32_t *left = uniform ? zeros.warp->up : zeros.warp->p;
        const uint32_t *right = uniform ? ones.warp->up : ones.warp->p;
        (void)sass_text(&sass, text, sizeof text);
        if (left[p] != right[p])
            fail_msg("sm_%u: %s: predicate %u is 0x%08x after 0, 0x%08x after 1", sm, text, p,
                     left[p], right[p]);
    }
}

static void results_are_written(void **state)
{
    static const uint32_t sms[] = {75, 80, 90};
    static const uint16_t expected[] = {
        SASS_OP_ISETP, SASS_OP_IADD3, SASS_OP_LEA,    SASS_OP_LOP3,   SASS_OP_PLOP3, SASS_OP_FLO,
        SASS_OP_FSETP, SASS_OP_FCHK,  SASS_OP_DSETP,  SASS_OP_HSETP2, SASS_OP_VOTE,  SASS_OP_SHFL,
        SASS_OP_MATCH, SASS_OP_R2UR,  SASS_OP_VIMNMX, SASS_OP_UISETP, SASS_OP_UIADD3};
    uint64_t random = 12345;
    (void)state;
    for (size_t s = 0; s < sizeof sms / sizeof *sms; s++) {
        const struct encoding_table *table = encoding_table(sms[s]);
        for (unsigned e = 1; e < table->encodings; e++) {
            struct word word;
            for (unsigned i = 0; i < WORDS; i++)
                if (random_word(table, &table->encoding[e], &random, &word))
                    check(&word, sms[s], next_random(&random));
        }
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (tried[expected[i]] < 20)
            fail_msg("%s was tried %u times", sass_op_name(expected[i]), tried[expected[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
