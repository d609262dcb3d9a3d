# SPDX-License-Identifier: GPL-2.0
#: make sem         ipc/ in user space against its model and sanitizers: seconds
#: make coherence   cache lines that disjoint operations share: none of ours

.PHONY: sem
sem:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem quick

.PHONY: coherence
coherence:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem coherence
