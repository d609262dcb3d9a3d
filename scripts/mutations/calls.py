# SPDX-License-Identifier: GPL-2.0
"""Ways of wrong_calls.c to go wrong, how often, and what must notice it."""


def mutation(name, what, tests):
    return {"name": name, "what": what, "tests": tests}


MUTATIONS = [
    mutation("lost-unit", "a post adds one unit too few", [
        (1000, "stress_posts"), (1000, "stress_mutex"),
        (7, "stress_waiter_exit -n 30"), (1000, "stress_mixed"),
        (50, "stress_order")]),
    mutation("smaller-need", "a take takes one unit too few", [
        (100, "stress_posts"), (20, "stress_order")]),
    mutation("split", "operations on several semaphores are not atomic", [
        (1, "stress_mutex"), (10, "stress_mixed"), (5, "stress_order")]),
    mutation("no-undo", "SEM_UNDO is forgotten", [
        (1, "stress_undo_rmid -n 20"), (5, "stress_ns -n 5"),
        (50, "stress_mixed"), (100, "stress_undo_threads -n 5")]),
    mutation("eintr", "EINTR where no signal was", [
        (100, "stress_posts"), (1, "stress_timed_rmid -n 500")]),
    mutation("no-eidrm", "success where the set was removed", [
        (10, "stress_timed_rmid -n 500"), (10, "stress_waiter_exit -n 30")]),
    mutation("not-removed", "IPC_RMID does nothing", [
        (10, "stress_undo_rmid -n 20"), (100, "stress_lookup")]),
    mutation("other-id", "a key finds another set", [
        (100, "stress_lookup")]),
    mutation("torn-read", "GETALL shows a value that is none", [
        (100, "stress_mutex"), (100, "stress_mixed")]),
]
