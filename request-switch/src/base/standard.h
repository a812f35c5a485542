// SPDX-License-Identifier: Apache-2.0
// What nearly every file of the tool needs of the C library.
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
