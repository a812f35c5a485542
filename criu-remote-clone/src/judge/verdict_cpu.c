// SPDX-License-Identifier: Apache-2.0
// Which CPU flags count, and why the others don't.
#include "verdict_cpu.h"

// Flags of x86 (Linux's arch/x86/include/asm/cpufeatures.h) that only the kernel, a hypervisor or
// an administrator has to do with. Every flag that isn't here counts, also one that we have never
// heard of: a new instruction would be such a flag, and a process that meets an instruction its CPU
// doesn't know is killed.
static const char *const not_for_programs[] = {
    // paging, protection, interrupts, machine checks: privileged
    "pse pse36 pae pge pat mtrr pcid nx pdpe1gb smep smap umip la57 invpcid invpcid_single "
    "wbnoinvd "
    "vme de msr apic x2apic extapic cr8_legacy mce mca smca succor overflow_recov osvw ibt",
    // power, heat, frequency, clocks (a clone's time stamp counter jumps in any case)
    "acpi tm tm2 pbe dtherm pts pln ida arat epb est hwp hwp_notify hwp_act_window hwp_epp "
    "hwp_pkg_req hfi hw_pstate cpb proc_feedback rapl aperfmperf irperf constant_tsc nonstop_tsc "
    "nonstop_tsc_s3 tsc_known_freq tsc_reliable tsc_adjust tsc_deadline_timer art ptsc monitor ss "
    "xtpr dca",
    // profiling and tracing, through the kernel
    "arch_perfmon perfmon_v2 pebs bts ds_cpl dts dtes64 pdcm intel_pt arch_lbr amd_lbr_v2 "
    "amd_lbr_pmc_freeze ibs perfctr_core perfctr_nb perfctr_llc sdbg bpext",
    // how CPUs are arranged, and how caches and memory bandwidth are shared out
    "ht cmp_legacy xtopology topoext extd_apicid nodeid_msr amd_dcm up cqm cqm_llc cqm_occup_llc "
    "cqm_mbm_total cqm_mbm_local rdt_a cat_l2 cat_l3 cdp_l2 cdp_l3 mba smba bmec",
    // virtual machines, enclaves, memory encryption
    "hypervisor vmx smx svm skinit vmmcall tpr_shadow flexpriority ept ept_ad ept_1gb vpid vnmi "
    "npt "
    "lbrv svm_lock nrip_save tsc_scale vmcb_clean flushbyasid decodeassists pausefilter "
    "pfthreshold "
    "avic x2avic v_vmsave_vmload vgif v_spec_ctrl debug_swap tdx_guest sgx sgx_lc sgx1 sgx2 tme "
    "pconfig sme sev sev_es sev_snp intel_ppin amd_ppin",
    // defences against leaks, and traps for bad neighbours
    "pti kaiser retpoline retpoline_amd retpoline_lfence rsb_ctxsw spec_ctrl ssbd ibrs "
    "ibrs_enhanced "
    "ibrs_fw ibpb ibpb_brtype ibpb_exit_to_user sbpb stibp amd_ssbd virt_ssbd amd_stibp "
    "amd_ibpb_ret "
    "rrsba_ctrl bhi_ctrl bhi_dis_s clear_bhb_hw clear_bhb_loop md_clear flush_l1d "
    "arch_capabilities "
    "core_capabilities split_lock_detect bus_lock_detect tsx_force_abort rtm_always_abort "
    "cpuid_fault cpuid",
    // only how fast an instruction is that every CPU has
    "rep_good erms fsrm fsrs fsrc fzrm",
};

// Their state components make XSAVE's area larger. glibc's lazy binding and others find out its
// size once, and save by a fixed mask: on a CPU with more components, beyond the end of that area.
// CRIU therefore compares the sizes (criu/arch/x86/cpu.c), but only in `cpuinfo check`.
static const char *const with_registers = "avx mpx avx512f ospke amx_tile apx";

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *found = words; (found = strstr(found, word)) != NULL; found += length)
        if ((found == words || found[-1] == ' ') && (found[length] == ' ' || found[length] == 0))
            return true;
    return false;
}

bool cpu_flag_is_for_programs(const char *flag) {
    if (*flag == 0)
        return false;
    for (size_t i = 0; i < sizeof not_for_programs / sizeof not_for_programs[0]; i++)
        if (has_word(not_for_programs[i], flag))
            return false;
    return true;
}

bool cpu_flag_adds_registers(const char *flag) {
    return *flag != 0 && has_word(with_registers, flag);
}
