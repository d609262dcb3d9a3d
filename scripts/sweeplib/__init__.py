# SPDX-License-Identifier: GPL-2.0
"""What the commands sweep and compare are made of."""
