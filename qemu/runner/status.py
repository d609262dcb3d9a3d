# SPDX-License-Identifier: GPL-2.0
"""Exit statuses of the runner that are not the command's, and how it stops."""

USAGE = 2           # wrong options, or a kernel that has not been built
KERNEL_REPORT = 70  # the kernel's log holds a report
NO_RECORD = 71      # the guest ended without saying how the command ended
TIME_LIMIT = 124    # the guest was ended at the limit


class Stop(Exception):
    """Ends the runner with a status and one line that says why."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
