// SPDX-License-Identifier: Apache-2.0
// Which CPU flags matter to a process that moves to another machine.
#pragma once

#include "standard.h"

// Whether a program can tell that a CPU has this flag of /proc/cpuinfo.
bool cpu_flag_is_for_programs(const char *flag);

// Whether it adds registers that are saved with XSAVE.
bool cpu_flag_adds_registers(const char *flag);
