# SPDX-License-Identifier: GPL-2.0
#: make mutants     show that the selftests notice broken semaphores; MUTANTS=... chooses

MUTANTS ?=

.PHONY: mutants
mutants:
	@scripts/setup kernel guest
	@scripts/mutate calls
	@scripts/mutate kernel $(MUTANTS)
