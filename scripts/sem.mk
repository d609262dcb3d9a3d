# SPDX-License-Identifier: GPL-2.0
#: make sem         ipc/ in user space against its model and sanitizers: seconds
#: make fuzz-long   ten million operations against the model, an hour
#: make coherence   cache lines that disjoint operations share: none of ours
#: make cycles      what operations cost in user space, stock and fine

.PHONY: sem
sem:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem quick

.PHONY: coherence
coherence:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem coherence

.PHONY: fuzz-long
fuzz-long:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem long
	@$(MAKE) --no-print-directory -C tools/testing/sem fuzz FUZZ_SECONDS=600

.PHONY: cycles
cycles:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem cycles
