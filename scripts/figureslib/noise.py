# SPDX-License-Identifier: GPL-2.0
"""How far stock differs from stock: the noise that a difference has to exceed."""
import itertools
import statistics

LEVEL = 0.025


def lowest_ratio(runs, level=LEVEL):
    """What two halves of a kernel's own runs show by chance.

    Every split of the runs into two halves gives a ratio of medians, of a kernel against
    itself. A ratio below the one returned is seen in at most the given share of all splits.
    """
    half = len(runs) // 2
    if not half:
        return 1.0
    ratios = []
    for chosen in itertools.combinations(range(len(runs)), half):
        one = [runs[i] for i in chosen]
        other = [run for i, run in enumerate(runs) if i not in chosen]
        ratios.append(statistics.median(one) / statistics.median(other))
    ratios.sort()
    return ratios[int(level * len(ratios))]
