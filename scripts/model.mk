# SPDX-License-Identifier: GPL-2.0
#: make model       search the models of the semaphores' protocol; MODELS='undo* *BUG*' chooses
#: make model-long  the same, with the large ones: ten minutes or so

MODELS ?=

.PHONY: model
model:
	@scripts/setup model
	@nice -n 5 tools/testing/sem-model/run $(foreach model,$(MODELS),'$(model)')

.PHONY: model-long
model-long:
	@scripts/setup model
	@nice -n 5 tools/testing/sem-model/run --long $(foreach model,$(MODELS),'$(model)')
