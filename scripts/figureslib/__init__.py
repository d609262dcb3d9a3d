# SPDX-License-Identifier: GPL-2.0
"""What scripts/figures and scripts/instructions are made of."""
