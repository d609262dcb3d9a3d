# SPDX-License-Identifier: GPL-2.0
#: make instructions
#:                  instructions an operation takes, stock and fine, counted by the emulator
#: make figures     a table of figures that have to be reached; scripts/figures --help tells ROWS, RUNS

.PHONY: instructions
instructions:
	@scripts/setup kernel guest bench
	@scripts/instructions

.PHONY: figures
figures:
	@scripts/setup kernel guest bench
	@scripts/figures
