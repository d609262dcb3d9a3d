# SPDX-License-Identifier: GPL-2.0
#: make bench       semop-multi for half a minute on the running kernel
#: make sweep       build, boot and measure all kernels; scripts/sweep --help tells the variables
#: make compare CMD='...'
#:                  a program of your own on all kernels; scripts/compare --help

# Variables of make's command line reach the scripts through the environment.

.PHONY: bench
bench:
	@scripts/setup bench
	@scripts/bench

.PHONY: sweep
sweep:
	@scripts/setup kernel guest bench
	@scripts/sweep

.PHONY: compare
compare:
	@scripts/setup kernel guest
	@scripts/compare

.PHONY: clean-bench
clean: clean-bench
clean-bench:
	rm -rf build/semop-multi
