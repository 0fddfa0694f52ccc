/* Estimates of what instructions cost: barriers, fetching, constants, and pipes. */
#include <stdio.h>
#include <string.h>

#include "report/advice_input.h"
#include "report/quantity.h"

void estimate_barriers(input *in, struct advice *advice)
{
    advice_state_at(in, advice, SIMSM_STATE_BARRIER);
    advice_say(advice, "warps wait %s of their cycles at barriers",
               quantity_percent(100 * advice_state(in, SIMSM_STATE_BARRIER)).text);
}

/* Misses cost time where the code is larger than the first cache, or runs so seldom that its first
 * fetches count. */
void estimate_code(input *in, struct advice *advice)
{
    enum { SELDOM = 64 };
    double executed = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        executed += in->stats->lines[i].issues > 0;
    const double bytes = executed * in->config->fetch_instruction_bytes;
    const double sms = least((double)in->stats->blocks_total, in->stats->sms);
    const double each = of(count(in, SIMSM_COUNTER_INST_EXECUTED), executed * sms);
    advice_state_at(in, advice, SIMSM_STATE_NO_INSTRUCTION);
    if (bytes <= in->config->fetch_l0_bytes && each >= SELDOM)
        advice->share = 0;
    advice_say(
        advice,
        "warps have no instruction in %s of their cycles; the code that runs has %s, and an SM "
        "executes each instruction %s times",
        quantity_percent(100 * advice_state(in, SIMSM_STATE_NO_INSTRUCTION)).text,
        quantity_kib(bytes).text, quantity_count(each).text);
}

/* Returns how often instructions of a class were issued. */
static double issues_of(input *in, uint8_t op)
{
    double issues = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        issues += in->stats->line_info[i].op == op ? (double)in->stats->lines[i].issues : 0;
    return issues;
}

void estimate_constants(input *in, struct advice *advice)
{
    const double loads = issues_of(in, SIMSM_OP_LD_CONST);
    const double shared = issues_of(in, SIMSM_OP_LD_SHARED) + issues_of(in, SIMSM_OP_ATOM_SHARED);
    advice_state_at(in, advice, SIMSM_STATE_IMC_MISS);
    const bool loaded = of(loads, count(in, SIMSM_COUNTER_INST_EXECUTED)) > 0.02;
    if (loaded)
        CHOOSE_LINE(advice, in, op == SIMSM_OP_LD_CONST ? (double)line->issues : 0);
    /* Loads from shared memory wait in the same state. */
    advice->share +=
        loaded ? advice_state(in, SIMSM_STATE_SHORT_SCOREBOARD) * of(loads, loads + shared) : 0;
    advice_say(advice,
               "warps wait %s of their cycles for constants of operands; %s loads of constants",
               quantity_percent(100 * advice_state(in, SIMSM_STATE_IMC_MISS)).text,
               quantity_count(loads).text);
}

static bool is_named(input *in, uint32_t line, const char *name)
{
    const char *text = in->stats->line_info[line].text, *at = strstr(text, name);
    const size_t length = strlen(name);
    return at && (at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '.');
}

/* Returns whether an instruction converts between single and double precision. */
static bool converts_double(input *in, uint32_t line)
{
    return is_named(in, line, "F2F.F64.F32") || is_named(in, line, "F2F.F32.F64");
}

/*
 * In single precision the FP64 pipe has nothing to do, and conversions fall away. The two pipes
 * work side by side, so the busier one decides.
 */
void estimate_double_precision(input *in, struct advice *advice)
{
    const double busy = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FP64].value / 100;
    const double xu = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_XU].value / 100;
    const double wide = in->config->ops[SIMSM_OP_FP64].interval;
    const double single = in->config->ops[SIMSM_OP_FP32].interval;
    double conversions = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        conversions += converts_double(in, i) ? (double)in->stats->lines[i].issues : 0;
    CHOOSE_LINE(advice, in,
                op == SIMSM_OP_FP64 || converts_double(in, i) ? (double)line->issues : 0);
    const double arithmetic = busy * positive(1 - single / wide);
    const double converting = xu * of(conversions, count(in, SIMSM_COUNTER_PIPE_XU));
    advice->share = (arithmetic > converting ? arithmetic : converting) * advice_running_share(in);
    advice_say(
        advice,
        "the FP64 pipe is busy in %s of the active cycles; %s conversions between single and "
        "double precision",
        quantity_percent(100 * busy).text, quantity_count(conversions).text);
}

/* Returns whether an addition among the next lines uses the result of the multiplication `line`. */
static bool feeds_addition(input *in, uint32_t line)
{
    enum { NEAR = 12 };
    char result[16];
    const char *at = strstr(in->stats->line_info[line].text, "FMUL");
    if (!at || sscanf(at, "%*s %15[^,]", result) != 1)
        return false;
    const size_t length = strlen(result);
    for (uint32_t i = line + 1; i < in->stats->line_count && i <= line + NEAR; i++) {
        const char *text = in->stats->line_info[i].text, *comma = strchr(text, ',');
        const char *use = is_named(in, i, "FADD") && comma ? strstr(comma, result) : NULL;
        if (use && (use[length] < '0' || use[length] > '9'))
            return true;
    }
    return false;
}

void estimate_unfused(input *in, struct advice *advice)
{
    double pairs = 0, most = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++) {
        const double issues = (double)in->stats->lines[i].issues;
        if (!is_named(in, i, "FMUL") || !feeds_addition(in, i))
            continue;
        pairs += issues;
        if (issues <= most)
            continue;
        most = issues;
        advice->line = i;
    }
    const double fma = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FMA].value / 100;
    const double issue = in->metrics[METRIC_ISSUE_SLOTS_BUSY].value / 100;
    const double part = of(pairs, count(in, SIMSM_COUNTER_INST_EXECUTED));
    advice->share = part * (fma > issue ? fma : issue) * advice_running_share(in);
    advice_say(advice, "%s multiplications whose product is then added: %s of all instructions",
               quantity_count(pairs).text, quantity_percent(100 * part).text);
}

void estimate_tensor(input *in, struct advice *advice)
{
    enum { TIMES_FASTER = 8 };
    double products = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        products += is_named(in, i, "FFMA") || is_named(in, i, "HFMA2")
                        ? (double)in->stats->lines[i].issues
                        : 0;
    const double part = of(products, count(in, SIMSM_COUNTER_INST_EXECUTED));
    const double fma = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FMA].value / 100;
    const bool is_product = count(in, SIMSM_COUNTER_SHARED_LD_REQUESTS) > products / 64 &&
                            count(in, SIMSM_COUNTER_BARRIERS) > 0 &&
                            count(in, SIMSM_COUNTER_PIPE_TENSOR) < products / 64;
    if (part < 0.4 || fma < 0.3 || !is_product)
        return;
    advice->share = advice_sm_use(in) * (1 - 1.0 / TIMES_FASTER) * advice_running_share(in);
    advice_say(advice, "%s of the instructions are multiply-adds, fed from shared memory",
               quantity_percent(100 * part).text);
}
