# SPDX-License-Identifier: GPL-2.0
"""What scripts/rt-check is made of."""
