# SPDX-License-Identifier: GPL-2.0
#: make sem         ipc/ in user space against its model and sanitizers: seconds

.PHONY: sem
sem:
	@scripts/setup sem
	@$(MAKE) --no-print-directory -s -C tools/testing/sem quick
