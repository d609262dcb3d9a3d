# SPDX-License-Identifier: GPL-2.0
#: make soak HOURS=n
#:                  stress tests at random over all built kernels; HOURS=0.5 is half an hour
#: make bounds      the largest numbers of sets, sleepers and operations; KERNELS="fine-rt ..." chooses

HOURS ?=

.PHONY: soak
soak:
	@scripts/setup kernel guest sem
	@scripts/soak $(HOURS)

.PHONY: bounds
bounds:
	@scripts/setup kernel guest
	@scripts/bounds $(KERNELS)
