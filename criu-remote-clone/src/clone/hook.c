// SPDX-License-Identifier: Apache-2.0
// Hooks: what a call means for the command's environment, and its end for us.
#include "hook.h"

#include "command.h"

void hook_environment(const struct hook_call *call, struct hook_environment *environment) {
    size_t count = 0;
    memset(environment, 0, sizeof *environment);
    char(*text)[sizeof environment->text[0]] = environment->text;
    snprintf(text[count++], sizeof *text, "CLONE_ROLE=%s", call->role);
    snprintf(text[count++], sizeof *text, "CLONE_PHASE=%s", call->phase);
    snprintf(text[count++], sizeof *text, "CLONE_PID=%d", (int)call->pid);
    if (call->outcome != NULL)
        snprintf(text[count++], sizeof *text, "CLONE_OUTCOME=%s", call->outcome);
    if (call->link_bytes_per_ms != NULL)
        snprintf(text[count++], sizeof *text, "CLONE_LINK_BYTES_PER_MS=%llu",
                 (unsigned long long)*call->link_bytes_per_ms);
    for (size_t i = 0; i < count; i++)
        environment->variables[i] = text[i];
}

static int pidfd_of(const struct hook_call *call) {
    return call->original != NULL ? call->original->pidfd : -1;
}

static int judge(const struct hook_call *call, const struct command_end *end,
                 struct failure *failure) {
    if (end->abandoned)
        return fail(failure, EXIT_REFUSED,
                    "process %d has ended; the %s hook waited for it and was killed (%s)",
                    (int)call->pid, call->phase, call->command);
    if (end->timed_out)
        return fail(failure, EXIT_VETO,
                    "the %s hook did not end within %d ms and was killed: make it quicker or raise "
                    "--hook-timeout (%s)",
                    call->phase, call->timeout_ms, call->command);
    if (end->signal != 0)
        return fail(failure, EXIT_VETO, "the %s hook was ended by signal %d, SIG%s (%s)",
                    call->phase, end->signal, sigabbrev_np(end->signal), call->command);
    if (end->code != 0)
        return fail(failure, EXIT_VETO,
                    "the %s hook said no: exit code %d, its reason is on standard error (%s)",
                    call->phase, end->code, call->command);
    return 0;
}

int hook_run(const struct hook_call *call, struct failure *failure) {
    if (call->command == NULL)
        return 0;
    struct hook_environment environment;
    hook_environment(call, &environment);
    struct command command;
    if (command_prepare(&command, call->command, environment.variables, failure) < 0)
        return -1;
    int entry = 0;
    if (call->keeper != NULL) {
        entry = keeper_wait_for(call->keeper, command.pid, call->timeout_ms, KEEPER_KILL_GROUP,
                                failure);
        if (entry < 0) {
            command_cancel(&command);
            return -1;
        }
    }
    struct command_end end;
    command_finish(&command, call->timeout_ms, pidfd_of(call), &end);
    if (entry > 0 && keeper_forget(call->keeper, entry, failure) < 0)
        return -1;
    return judge(call, &end, failure);
}

int hook_list(const struct hook_call *call, struct failure *failure) {
    struct hook_environment environment;
    hook_environment(call, &environment);
    return keeper_run(call->keeper, call->command, environment.variables, call->timeout_ms,
                      pidfd_of(call), failure);
}

int hook_run_listed(const struct hook_call *call, int entry, struct failure *failure) {
    struct hook_environment environment;
    hook_environment(call, &environment);
    struct command_end end;
    if (keeper_run_now(call->keeper, entry, call->command, environment.variables, call->timeout_ms,
                       &end, failure) < 0)
        return -1;
    return judge(call, &end, failure);
}
