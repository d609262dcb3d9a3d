# SPDX-License-Identifier: GPL-2.0
#: make kernel KERNEL=stock|fine FLAVOUR=preempt|rt [DEBUG=lockdep|kasan|kcsan|trace|info]
#:                  build a kernel and print its image (DEBUG=info: for gdb)
#: make lint-kernel W=1, sparse, checkpatch --strict and kernel-doc on our files
#: make clean       remove what was made, but for the unpacked source
#: make distclean   remove everything that was made, results too

KERNEL ?= fine
FLAVOUR ?= preempt

.PHONY: kernel
kernel:
	@scripts/setup kernel guest
	@scripts/guest-init >&2
	@scripts/build-kernel $(KERNEL) $(FLAVOUR) $(DEBUG)

.PHONY: clean
clean:
	rm -rf build/trees build/kernels build/guest

.PHONY: distclean
distclean:
	rm -rf build results

.PHONY: lint-kernel
lint-kernel:
	@scripts/setup kernel check
	@scripts/lint-kernel
