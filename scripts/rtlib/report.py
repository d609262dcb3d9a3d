# SPDX-License-Identifier: GPL-2.0
"""The report: a table that can be mailed, and the same as JSON."""
from sweeplib.host import LOADED
from sweeplib.report import box, labels

from . import judges, parts


def head(campaigns):
    """Kernels, box and nodes, and what real-time figures have to be read with."""
    lines = []
    machines = [machine for campaign in campaigns.values()
                for machine in campaign.machines.values()]
    for machine in sorted(machines, key=lambda machine: -machine["box"]["cpus"])[:1]:
        lines += box(machine["box"])
    states = [state for campaign in campaigns.values() for state in campaign.states]
    for state in sorted(states, key=lambda state: -len(state["affinity"]))[:1]:
        affinity = " ".join(map(str, state["affinity"]))
        lines += [f"real-time throttling: {state['rt_runtime_us']} of {state['rt_period_us']} us",
                  f"fair server: {state['fair_server']}",
                  f"affinity: CPUs {affinity}; isolated: {state['isolated'] or 'none'}"]
    return lines


def notes(campaigns, chosen, scale, host_cpus):
    """How far the figures carry."""
    emulated = any(state["accel"] != "kvm" for campaign in campaigns.values()
                   for state in campaign.states)
    lines = labels(emulated, scale.cpus, host_cpus)
    if emulated:
        lines.append("TCG latencies compare kernels, they do not bound a machine: p99.99 and max "
                     "are the host's.")
    if set(chosen) & {"rates", "latency", "rt-tests"}:
        lines.append("One round." if scale.rounds == 1 else
                     f"Medians of {scale.rounds} rounds, in which the kernels alternate; min and "
                     "max over all.")
    if set(chosen) & set(parts.COMPARED):
        lines.append("Stock runs twice in each round: how far its runs differ from each other is "
                     "the noise that 'at least' and 'at most' allow.")
    if set(chosen) & {"growth", "wake-ups", "sections"}:
        lines.append("growth, wake-ups and sections are counted in instructions by the emulator, "
                     "where one takes a nanosecond; neither the host nor its load matter.")
    loads = [load for campaign in campaigns.values() for load in campaign.loads]
    busy = [load for load in loads if load > LOADED]
    if busy:
        lines.append(f"The host was loaded: other programs used up to {max(busy):.1f} CPUs in "
                     f"{len(busy)} of {len(loads)} boots.")
    return lines


def blocks(campaigns, chosen, scale):
    """All blocks of the parts that were asked for."""
    main = campaigns["main"]
    made = [judges.states([state for campaign in campaigns.values() for state in campaign.states
                           if "-preempt" not in state["release"]])]
    if "rates" in chosen:
        made += judges.rates(main, scale)
    if "latency" in chosen:
        made += judges.latency(main, scale)
    if "growth" in chosen:
        made += judges.growth(main)
    if "wake-ups" in chosen:
        made += [judges.sections(main, flavour, "wake-ups of a FIFO thread at their latest")
                 for flavour in ("rt", "preempt")]
    if "rt-tests" in chosen:
        made += judges.rt_tests(main)
    if "priorities" in chosen:
        made += judges.priorities(main)
    if "sections" in chosen:
        made += [judges.sections(campaigns[f"trace-{flavour}"], flavour,
                                 "longest time with preemption or interrupts off")
                 for flavour in ("rt", "preempt")]
    if "lockdep" in chosen:
        made += judges.lockdep(campaigns["lockdep-rt"], scale)
    return made


class Report:
    """Text, JSON and verdict of a check."""

    def __init__(self, campaigns, chosen, scale, manifest):
        self.campaigns = campaigns
        self.chosen = chosen
        self.scale = scale
        self.manifest = manifest
        self.blocks = blocks(campaigns, chosen, scale)
        self.failures = [line for block in self.blocks for line in block.failures()]
        self.failures += [failure for campaign in campaigns.values()
                          for failure in campaign.failures]

    def verdict(self):
        """The last lines."""
        if not self.failures:
            return ["fit for real-time use, as far as was measured here"]
        return [f"NOT FIT: {len(self.failures)} lines failed", *self.failures]

    def text(self):
        """The whole table."""
        lines = head(self.campaigns)
        for block in self.blocks:
            lines += block.lines()
        lines += ["", *notes(self.campaigns, self.chosen, self.scale,
                                 self.manifest["host"]["cpus"]), "", *self.verdict()]
        return "\n".join(lines) + "\n"

    def to_json(self):
        """The same for programs."""
        return {"what": "rt-check", "fit": not self.failures, "failed": self.failures,
                "blocks": [block.to_json() for block in self.blocks],
                "states": self.campaigns["main"].states, **self.manifest}
