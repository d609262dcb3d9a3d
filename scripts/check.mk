# SPDX-License-Identifier: GPL-2.0
#: make check       all tests; STEPS='0* *guest*' chooses
#: make quick       the checks that take seconds, for every edit

#: make check-debug the debug kernels (BUILDS="rt-lockdep ..." chooses) run all tests

STEPS ?=

.PHONY: check
check:
	@scripts/setup kernel guest bench check
	@scripts/check $(foreach step,$(STEPS),'$(step)')

.PHONY: quick
quick:
	@scripts/check '0*'

BUILDS ?=

.PHONY: check-debug
check-debug:
	@scripts/setup kernel guest bench check
	@scripts/debug-kernels $(BUILDS)
