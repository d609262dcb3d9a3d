# SPDX-License-Identifier: GPL-2.0
# Each part has its rules in scripts/NAME.mk; `make help` lists the targets.

.DEFAULT_GOAL := help
.SUFFIXES:

include $(sort $(wildcard scripts/*.mk))

.PHONY: help
help:
	@sed -n 's/^#: //p' Makefile $(sort $(wildcard scripts/*.mk))
