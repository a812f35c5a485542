// SPDX-License-Identifier: Apache-2.0
// What nearly every file needs of the C library. Every header includes this, if not by another one.
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
