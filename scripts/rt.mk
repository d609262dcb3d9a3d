# SPDX-License-Identifier: GPL-2.0
#: make rt-check    stock and fine with PREEMPT_RT: fit for real-time use? scripts/rt-check --help
#:                  tells PARTS, RUNS, CPUS, FULL; a quarter of an hour once kernels are built

.PHONY: rt-check
rt-check:
	@scripts/setup kernel guest bench rt
	@scripts/rt-check
