/* The table of the prepare function of each operation on registers. An operation of the uniform
 * datapath uses the function of its general counterpart, with uniform operands. */
#include "exec/alu/alu.h"

static alu_prepare *const prepare_of[SASS_OP_COUNT] = {
    /* integers, logic, moves */
    [SASS_OP_MOV] = alu_mov,
    [SASS_OP_SEL] = alu_sel,
    [SASS_OP_ISETP] = alu_isetp,
    [SASS_OP_IADD3] = alu_iadd3,
    [SASS_OP_LEA] = alu_lea,
    [SASS_OP_LOP3] = alu_lop3,
    [SASS_OP_IABS] = alu_iabs,
    [SASS_OP_VABSDIFF] = alu_vabsdiff,
    [SASS_OP_VABSDIFF4] = alu_vabsdiff4,
    [SASS_OP_PRMT] = alu_prmt,
    [SASS_OP_IMNMX] = alu_imnmx,
    [SASS_OP_VIMNMX] = alu_imnmx,
    [SASS_OP_VIMNMX3] = alu_vimnmx3,
    [SASS_OP_VIADD] = alu_viadd,
    [SASS_OP_VIADDMNMX] = alu_viaddmnmx,
    [SASS_OP_SHF] = alu_shf,
    [SASS_OP_SGXT] = alu_sgxt,
    [SASS_OP_BMSK] = alu_bmsk,
    [SASS_OP_IMAD] = alu_imad,
    [SASS_OP_IMAD_WIDE] = alu_imad_wide,
    [SASS_OP_IMAD_HI] = alu_imad_hi,
    [SASS_OP_IDP] = alu_idp,
    [SASS_OP_PLOP3] = alu_plop3,
    [SASS_OP_P2R] = alu_p2r,
    [SASS_OP_R2P] = alu_r2p,
    [SASS_OP_FLO] = alu_flo,
    [SASS_OP_BREV] = alu_brev,
    [SASS_OP_POPC] = alu_popc,
    /* single precision */
    [SASS_OP_FADD] = alu_fadd,
    [SASS_OP_FMUL] = alu_fmul,
    [SASS_OP_FFMA] = alu_ffma,
    [SASS_OP_FSEL] = alu_fsel,
    [SASS_OP_FMNMX] = alu_fmnmx,
    [SASS_OP_FSET] = alu_fset,
    [SASS_OP_FSETP] = alu_fsetp,
    [SASS_OP_FCHK] = alu_fchk,
    [SASS_OP_MUFU] = alu_mufu,
    /* double precision */
    [SASS_OP_DADD] = alu_dadd,
    [SASS_OP_DMUL] = alu_dmul,
    [SASS_OP_DFMA] = alu_dfma,
    [SASS_OP_DSETP] = alu_dsetp,
    /* pairs of half or bfloat16 numbers */
    [SASS_OP_HADD2] = alu_hadd2,
    [SASS_OP_HMUL2] = alu_hmul2,
    [SASS_OP_HFMA2] = alu_hfma2,
    [SASS_OP_HFMA2_MMA] = alu_hfma2,
    [SASS_OP_HSET2] = alu_hset2,
    [SASS_OP_HSETP2] = alu_hsetp2,
    [SASS_OP_HMNMX2] = alu_hmnmx2,
    /* conversions */
    [SASS_OP_F2F] = alu_f2f,
    [SASS_OP_F2I] = alu_f2i,
    [SASS_OP_F2IP] = alu_f2ip,
    [SASS_OP_I2F] = alu_i2f,
    [SASS_OP_FRND] = alu_frnd,
    [SASS_OP_F2FP] = alu_f2fp,
    [SASS_OP_F2FP_TF32] = alu_f2fp_tf32,
    [SASS_OP_I2I] = alu_i2i,
    [SASS_OP_I2FP] = alu_i2fp,
    /* matrices */
    [SASS_OP_HMMA] = alu_hmma,
    [SASS_OP_QMMA] = alu_qmma,
    [SASS_OP_IMMA] = alu_imma,
    [SASS_OP_BMMA] = alu_bmma,
    [SASS_OP_DMMA] = alu_dmma,
    [SASS_OP_HGMMA] = alu_hgmma,
    [SASS_OP_QGMMA] = alu_qgmma,
    [SASS_OP_IGMMA] = alu_igmma,
    [SASS_OP_BGMMA] = alu_bgmma,
    [SASS_OP_MOVM] = alu_movm,
    /* uniform datapath */
    [SASS_OP_UMOV] = alu_mov,
    [SASS_OP_USEL] = alu_sel,
    [SASS_OP_UISETP] = alu_isetp,
    [SASS_OP_UIADD3] = alu_iadd3,
    [SASS_OP_ULEA] = alu_lea,
    [SASS_OP_ULOP3] = alu_lop3,
    [SASS_OP_UPRMT] = alu_prmt,
    [SASS_OP_USHF] = alu_shf,
    [SASS_OP_USGXT] = alu_sgxt,
    [SASS_OP_UBMSK] = alu_bmsk,
    [SASS_OP_UIMAD] = alu_imad,
    [SASS_OP_UIMAD_WIDE] = alu_imad_wide,
    [SASS_OP_UIMAD_HI] = alu_imad_hi,
    [SASS_OP_UFLO] = alu_flo,
    [SASS_OP_UBREV] = alu_brev,
    [SASS_OP_UPOPC] = alu_popc,
    [SASS_OP_UPLOP3] = alu_plop3,
    [SASS_OP_UP2UR] = alu_p2r,
    [SASS_OP_UR2UP] = alu_r2p,
    [SASS_OP_R2UR] = alu_r2ur,
    /* between lanes */
    [SASS_OP_VOTE] = alu_vote,
    [SASS_OP_VOTEU] = alu_vote,
    [SASS_OP_ELECT] = alu_elect,
    [SASS_OP_SHFL] = alu_shfl,
    [SASS_OP_MATCH] = alu_match,
    [SASS_OP_REDUX] = alu_redux,
};

/* Returns whether run functions can read the source. They cannot read a constant bank that a
 * uniform register selects, nor a convergence barrier. */
static bool readable(const struct exec_source *source)
{
    return source->kind != SASS_CONSTANT_UNIFORM && source->kind != SASS_CONVERGENCE;
}

bool exec_prepare_alu(struct exec_inst *inst, const char **why)
{
    const uint16_t op = inst->sass->op;
    alu_prepare *const prepare = op < SASS_OP_COUNT ? prepare_of[op] : NULL;
    if (!prepare) {
        *why = "the operation is not simulated";
        return false;
    }
    if (!readable(&inst->a) || !readable(&inst->b) || !readable(&inst->c)) {
        *why = "a constant bank selected by a uniform register";
        return false;
    }
    inst->run = inst->body = NULL;
    memset(inst->mod, 0, sizeof inst->mod);
    return prepare(inst, why);
}
