# SPDX-License-Identifier: GPL-2.0
"""What counts as a report in a kernel's log, and what does not."""
import unittest

from runner import reports

IPC = {"do_semtimedop", "sem_lock"}


def lines(*texts):
    return [reports.Line(1.0, text) for text in texts]


def failing(*texts):
    return [r for r in reports.find(lines(*texts), IPC) if not r.counted]


class Openings(unittest.TestCase):
    """Each kind of report that makes a run fail, as 6.12 words it."""

    KINDS = {
        "warning": "WARNING: CPU: 0 PID: 77 at ipc/sem.c:10 f+0x1/0x2",
        "cut": "------------[ cut here ]------------",
        "null": "BUG: kernel NULL pointer dereference, address: 0000000000000000",
        "page fault": "BUG: unable to handle page fault for address: ffff8880",
        "oops": "Oops: Oops: 0002 [#1] PREEMPT SMP",
        "fault": "Oops: general protection fault, maybe for address 0x0: 0000",
        "bug": "kernel BUG at ipc/sem.c:12!",
        "panic": "Kernel panic - not syncing: sysrq triggered crash",
        "circle": "WARNING: possible circular locking dependency detected",
        "state": "WARNING: inconsistent lock state",
        "rcu use": "WARNING: suspicious RCU usage",
        "context": "[ BUG: Invalid wait context ]",
        "held": "WARNING: lock held when returning to user space!",
        "atomic": "BUG: sleeping function called from invalid context at a.c:1",
        "scheduling": "BUG: scheduling while atomic: sh/71/0x00000002",
        "kasan": "BUG: KASAN: slab-use-after-free in do_semtimedop+0x1/0x2",
        "ubsan": "UBSAN: shift-out-of-bounds in ipc/sem.c:1:2",
        "odebug": "ODEBUG: activate active (active state 1) object: ffff",
        "hung": "INFO: task sem_stress:88 blocked for more than 120 seconds.",
        "soft": "watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [sh:70]",
        "stall": "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
        "self stall": "rcu: INFO: rcu_preempt self-detected stall on CPU",
        "expedited": "rcu: INFO: rcu_preempt detected expedited stalls on CPUs",
        "starved": "rcu: rcu_preempt kthread starved for 5250 jiffies!",
        "kmemleak": "kmemleak: 3 new suspected memory leaks (see ...)",
        "refcount": "WARNING: CPU: 1 PID: 5 at lib/refcount.c:28 r+0x1/0x2",
        "key": "INFO: trying to register non-static key.",
    }

    def test_each_kind_fails(self):
        for kind, text in self.KINDS.items():
            with self.subTest(kind):
                self.assertEqual(len(failing("before", text, "after")), 1)

    def test_plain_lines_do_not(self):
        for text in ("Linux version 6.12.117", "lkdtm: Performing direct entry WARNING",
                     "sched: RT throttling activated", "rcu: Hierarchical RCU",
                     "Out of memory: Killed process 7 (sh)",
                     "FAULT_INJECTION: forcing a failure.",
                     "clocksource: Switched to clocksource tsc"):
            with self.subTest(text):
                self.assertEqual(failing("before", text), [])


class Extent(unittest.TestCase):
    def test_one_warning_is_one_report(self):
        found = failing("------------[ cut here ]------------",
                        "WARNING: CPU: 0 PID: 1 at x.c:1 f+0x1/0x2",
                        "Call Trace:", " f+0x1/0x2",
                        "---[ end trace 0000000000000000 ]---", "later")
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0].lines[-1].text[:12], "---[ end tra")
        self.assertIn("WARNING: CPU", found[0].title())

    def test_two_warnings_are_two(self):
        one = ("WARNING: CPU: 0 PID: 1 at x.c:1 f+0x1/0x2", "---[ end trace 0 ]---")
        self.assertEqual(len(failing(*one, *one)), 2)

    def test_a_pause_ends_a_report(self):
        log = lines("BUG: scheduling while atomic: sh/1/0x2", "Call Trace:")
        log.append(reports.Line(9.0, "something else"))
        found = reports.find(log, IPC)
        self.assertEqual([len(r.lines) for r in found], [2])


class Kcsan(unittest.TestCase):
    RULER = "=" * 66

    def race(self, function):
        return (self.RULER, "BUG: KCSAN: data-race in a / b", "",
                "write to 0xffff of 8 bytes by task 7 on cpu 0:",
                f" {function}+0x11/0x40", " entry_SYSCALL_64+0x1/0x2", self.RULER)

    def test_in_ipc_fails(self):
        self.assertEqual(len(failing(*self.race("do_semtimedop"))), 1)

    def test_elsewhere_is_counted(self):
        found = reports.find(lines(*self.race("tick_sched")), IPC)
        self.assertEqual([r.counted for r in found], [True])

    def race_of_two(self, first, second):
        def access(by, functions):
            return (f"read to 0xffff of 8 bytes by {by} on cpu 0:",
                    *(f" {name}+0x11/0x40" for name in functions), "")
        return (self.RULER, "BUG: KCSAN: data-race in a / b", "",
                *access("interrupt", first), *access("task 7", second), self.RULER)

    def test_below_ipc_on_both_sides_fails(self):
        log = self.race_of_two(("rb_erase", "sem_lock"), ("rb_next", "do_semtimedop"))
        self.assertEqual(len(failing(*log)), 1)

    def test_in_ipc_on_one_side_fails(self):
        log = self.race_of_two(("tick", "asm_sysvec_timer"), ("sem_lock", "syscall"))
        self.assertEqual(len(failing(*log)), 1)

    def test_below_ipc_on_one_side_is_counted(self):
        log = self.race_of_two(("tick", "asm_sysvec_timer"), ("clock", "sem_lock"))
        self.assertEqual(failing(*log), [])

    def test_what_was_interrupted_has_no_part(self):
        log = self.race_of_two(("tick", "asm_sysvec_timer", "sem_lock"),
                               ("clock", "sem_lock"))
        self.assertEqual(failing(*log), [])

    def test_a_lock_with_itself_is_counted(self):
        log = self.race_of_two(("osq_lock", "sem_lock"), ("osq_lock", "sem_lock"))
        self.assertEqual(failing(*log), [])
        log = self.race_of_two(("osq_lock", "sem_lock"), ("rb_next", "sem_lock"))
        self.assertEqual(len(failing(*log)), 1)

    def test_unreadable_fails(self):
        log = (self.RULER, "BUG: KCSAN: data-race in a / b", "what is this", self.RULER)
        self.assertEqual(len(failing(*log)), 1)

    def test_a_name_within_a_name_is_not_ipc(self):
        self.assertEqual(failing(*self.race("my_sem_lock_x")), [])

    def test_neighbours_are_kept_apart(self):
        log = self.race("tick_sched") + self.race("sem_lock")
        found = reports.find(lines(*log), IPC)
        self.assertEqual([r.counted for r in found], [True, False])


class Parsing(unittest.TestCase):
    def test_kmsg(self):
        data = (b"4,210,1500000,-;WARNING: here\\x0asecond\n SUBSYSTEM=x\n"
                b"6,211,1600000,-;a\\x5cb; c\n")
        self.assertEqual([str(line) for line in reports.parse_kmsg(data)],
                         ["[    1.500000] WARNING: here", "[    1.500000] second",
                          "[    1.600000] a\\b; c"])

    def test_console(self):
        data = b"SeaBIOS\r\n[    0.100000] BUG: x\r\n[    0.2][   T71] y\r\n"
        self.assertEqual([line.text for line in reports.parse_console(data)],
                         ["SeaBIOS", "BUG: x", "y", ""])


if __name__ == "__main__":
    unittest.main()
