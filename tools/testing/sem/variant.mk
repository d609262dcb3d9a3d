# SPDX-License-Identifier: GPL-2.0
#
# make -f variant.mk V=IMPLEMENTATION-KIND BASE=kernel-source SRC=ours OUT=dir \
#	PROGRAM...
#
# One way to build: IMPLEMENTATION is that of SRC (fine) or of BASE (stock), KIND
# says how. Programs appear in OUT/V.

here := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
implementation := $(firstword $(subst -, ,$(V)))
kind := $(lastword $(subst -, ,$(V)))
out := $(OUT)/$(V)
headers := $(OUT)/include-$(implementation)

.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

config := 64BIT SYSVIPC SYSVIPC_SYSCTL SYSVIPC_COMPAT IPC_NS PROC_FS \
	  CHECKPOINT_RESTORE COMPAT COMPAT_32BIT_TIME \
	  ARCH_WANT_COMPAT_IPC_PARSE_VERSION
flags := -std=gnu11 -g -pthread -fno-strict-aliasing -fno-omit-frame-pointer \
	 -Wall -Wno-unused-function -Wno-pointer-sign \
	 -I$(headers) -I$(SRC)/include -I$(here) -I$(here)/shim \
	 -include $(here)/shim/shim.h $(addprefix -DCONFIG_,$(config)) \
	 -DSHIM_STOCK=$(if $(filter stock,$(implementation)),1,0)

CC := gcc
# A kernel is compiled with -fno-strict-overflow, and user pointers may be NULL
undefined := -fsanitize=undefined -fno-sanitize=alignment,pointer-overflow,null \
	     -fno-sanitize-recover=undefined
shim := check memory around task
ifeq ($(kind),steps)
flags += -O1 -DSHIM_STEPS -fsanitize=address
ours += $(undefined)
shim += steps
else ifeq ($(kind),plain)
flags += -O2 -DSHIM_STEPS
shim += steps
else ifeq ($(kind),msan)
CC := clang
flags += -O1 -DSHIM_STEPS -DSHIM_MSAN -fsanitize=memory \
	 -Wno-gnu-variable-sized-type-not-at-end
shim += steps
else ifeq ($(kind),asan)
flags += -O1 -fsanitize=address
ours += $(undefined)
shim += threads
else ifeq ($(kind),tsan)
flags += -O1 -fsanitize=thread
shim += threads
else ifeq ($(kind),bench)
flags += -O2 -DSHIM_BENCH
shim += threads
else ifeq ($(kind),trace)
flags += -O2 -DSHIM_BENCH -DSHIM_TRACE
traced := -fsanitize=thread --param tsan-instrument-func-entry-exit=0 \
	  --param tsan-distinguish-volatile=0
link := -no-pie -rdynamic -Wl,--wrap=memset,--wrap=memcpy,--wrap=memmove -ldl
shim += threads trace
else ifeq ($(kind),fuzz)
CC := clang
flags += -O1 -DSHIM_STEPS -fsanitize=address,fuzzer-no-link \
	 -Wno-gnu-variable-sized-type-not-at-end
ours += $(undefined)
link := -fsanitize=fuzzer
shim += steps
else
$(error V=$(V): no such kind)
endif

# The kernel's own code is compiled as in a kernel, without more checks
ifeq ($(implementation),fine)
vpath sem%.c $(SRC)/ipc
vpath util.c $(SRC)/ipc
ipc := $(patsubst %.c,%,$(notdir $(wildcard $(SRC)/ipc/sem*.c))) util
kernel := compat
else
ipc :=
kernel := compat sem util
endif
kernel += rbtree xarray radix-tree idr rhashtable sort
vpath %.c $(here)/shim $(here) $(BASE)/ipc $(BASE)/lib

objects = $(patsubst %,$(out)/%.o,$(1))
$(call objects,$(kernel)): extra := -fwrapv -Wno-unused-variable
$(call objects,$(ipc) $(shim)): extra := $(ours)
$(call objects,$(kernel) $(ipc) threads task around): extra += $(traced)

$(headers): FORCE
	@mkdir -p $(OUT)
	@$(here)/make-headers $(BASE) $(implementation) $(SRC) $@

.PHONY: FORCE
$(out)/%.o: %.c | $(headers)
	@mkdir -p $(@D)
	$(CC) $(flags) $(extra) -MMD -c $< -o $@

programs := diff explore lookups faults rcu-control concurrent coherence fuzz \
	    cycles
parts-diff := world trial model program
parts-explore := $(parts-diff)
parts-lookups := program model

.PHONY: $(programs)
$(programs): %: $(out)/%
.SECONDEXPANSION:
$(addprefix $(out)/,$(programs)): $(out)/%: $(out)/%.o \
		$$(call objects,$$(parts-$$*) $(ipc) $(kernel) $(shim))
	$(CC) $(flags) $(ours) $(link) $^ -o $@

-include $(wildcard $(out)/*.d)
