// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs, in which order, and what the values are then: atomicity, the first
 * failing operation, zero waiters, arrival order, hand-off and chains. Each
 * variant is a script (sem_script.h) on a new set of zeroes.
 */
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_script.h"
#include "sem_test.h"

FIXTURE(order) {
	int unused;
};

FIXTURE_VARIANT(order) {
	int nsems;
	const char *script;
};

FIXTURE_SETUP(order)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(order)
{
}

TEST_F(order, script)
{
	sem_script(variant->nsems, variant->script);
}

/* Rule 6: all or nothing on one semaphore. */
FIXTURE_VARIANT_ADD(order, second_take_fails) {
	.nsems = 1,
	.script = "set 1@0; do -1@0 -1@0n fails EAGAIN; val 1;"
		  "do -1@0n -1@0n fails EAGAIN; val 1; do -1@0 -1@0n +1@0 0@0 fails EAGAIN;"
		  "val 1",
};

/* Rule 6: a later operation sees what an earlier one of the call did. */
FIXTURE_VARIANT_ADD(order, running_values) {
	.nsems = 1,
	.script = "set 1@0; do +1@0 -2@0n; val 0; do +1@0n -1@0n 0@0n; val 0;"
		  "do -1@0n +1@0n fails EAGAIN; val 0; do +1@0 0@0n fails EAGAIN;"
		  "val 0; do 0@0n +1@0; val 1; do 0@0n -1@0 fails EAGAIN; val 1",
};

/* Rule 6: one semaphore many times in a call. */
FIXTURE_VARIANT_ADD(order, same_number_many_times) {
	.nsems = 2,
	.script = "do +1@0 +1@0 +1@0 +1@0 -1@0 -1@0 -1@0 -1@0 0@0n +2@0; val 2 0;"
		  "do -1@0 +1@1 -1@0 +1@1 0@0n -1@1n -1@1n 0@1n; val 0 0;"
		  "do +3@0 -1@1n fails EAGAIN; val 0 0;"
		  "do +3@0 +1@1 -3@0 -1@1 -1@0n fails EAGAIN; val 0 0",
};

/* Rule 6: rollback over several semaphores, wherever the failing one is. */
FIXTURE_VARIANT_ADD(order, rollback_over_semaphores) {
	.nsems = 4,
	.script = "setall 5 4 3 0; do -2@0 +3@1 -1@2 -1@3n fails EAGAIN; val 5 4 3 0;"
		  "do -1@3n -2@0 +3@1 fails EAGAIN; val 5 4 3 0;"
		  "do -2@0 -1@3n +3@1 fails EAGAIN; val 5 4 3 0;"
		  "do -5@0 0@0n -4@1 0@1n 0@2n fails EAGAIN; val 5 4 3 0;"
		  "do -5@0 0@0n -4@1 0@1n -3@2 0@2n 0@3n; val 0 0 0 0",
};

/* Rule 6: IPC_NOWAIT belongs to the operation that blocks, not to the call. */
FIXTURE_VARIANT_ADD(order, nowait_of_another_operation) {
	.nsems = 2,
	.script = "1: -1@0 -1@1n; ncnt 1 0; do +1@1; val 0 1; do +1@0 wakes 1; val 0 0;"
		  "2: +1@1n -1@0; ncnt 1 0; val 0 0; do +1@0 wakes 2; val 0 1",
};

/* Rule 7: at SEMVMX the whole call fails and nothing has changed. */
FIXTURE_VARIANT_ADD(order, over_the_maximum) {
	.nsems = 2,
	.script = "set 32767@0; do +1@0 fails ERANGE; do +1@0n fails ERANGE;"
		  "do +1@1 +1@0 fails ERANGE; val 32767 0;"
		  "do +1@0 -1@0 fails ERANGE; val 32767 0;"
		  "do -1@0 +1@0; val 32767 0; set 1@0; do +32767@0 fails ERANGE; val 1 0;"
		  "do +32766@0; val 32767 0; do -32767@0; val 0 0; do +32767@0; val 32767 0",
};

/* Rule 7: the first failing operation decides, in array order. */
FIXTURE_VARIANT_ADD(order, first_failing_operation_decides) {
	.nsems = 2,
	.script = "set 32767@0; do +1@0 -1@1n fails ERANGE; do -1@1n +1@0 fails EAGAIN;"
		  "do 0@0n +1@0 fails EAGAIN; do +1@0 0@0n fails ERANGE;"
		  "do -1@0 0@0n +2@0 fails EAGAIN; do -1@0 +2@0 0@0n fails ERANGE;"
		  "val 32767 0",
};

/* Rule 7: blocking comes before a later operation's range. */
FIXTURE_VARIANT_ADD(order, blocks_before_later_range) {
	.nsems = 2,
	.script = "set 32767@0; 1: -1@1 +1@0; ncnt 0 1; do -1@0; do +1@1 wakes 1;"
		  "val 32767 0",
};

/* Rule 7: an undo adjustment beyond 16 bits refuses the call. */
FIXTURE_VARIANT_ADD(order, undo_beyond_its_range) {
	.nsems = 2,
	.script = "do +32767@0u; do -32767@0; do +2@0u fails ERANGE; val 0 0;"
		  "do +1@1 +2@0u fails ERANGE; val 0 0; do +1@0u; val 1 0;"
		  "do +1@0u fails ERANGE; val 1 0; do +1@0; val 2 0;"
		  "do -1@0u; val 1 0; do +1@0u; val 2 0",
};

/* Rule 7: the other end of an adjustment's range. */
FIXTURE_VARIANT_ADD(order, undo_beyond_its_upper_range) {
	.nsems = 1,
	.script = "set 32767@0; do -32767@0u; val 0; set 0@0;"
		  "set 32767@0; do -32767@0u; do +1@0; do -1@0u fails ERANGE; val 1;"
		  "do -1@0; val 0",
};

/* Rule 7: SEMVMX comes before the adjustment, blocking before both. */
FIXTURE_VARIANT_ADD(order, undo_range_comes_last) {
	.nsems = 2,
	.script = "set 32767@0; do -32767@0u; 1: -1@0u; do +1@0 wakes 1; val 0 0;"
		  "do -1@0nu fails EAGAIN; do +1@0; do -1@0nu fails ERANGE; val 1 0",
};

/* Rules 7, 15: a failed call leaves the pids. */
FIXTURE_VARIANT_ADD(order, failure_keeps_pids) {
	.nsems = 3,
	.script = "1: -1@0 +1@1 +1@2; do +1@0 wakes 1; pid 1 1 1;"
		  "do +1@1 -1@2 -1@0n fails EAGAIN; pid 1 1 1; val 0 1 1;"
		  "set 32767@2; pid 1 1 me; 2: -1@0 +1@1; do +1@0 wakes 2;"
		  "do -1@1 +1@2 fails ERANGE; pid 2 2 me; val 0 2 32767",
};

/* Rules 7, 19: a failed call leaves the adjustments of its process. */
FIXTURE_VARIANT_ADD(order, failure_keeps_adjustments) {
	.nsems = 2,
	.script = "set 32767@1; 1: -1@0 +2@0u +1@1u; do +1@0 wakes 1=ERANGE; val 1 32767;"
		  "end 1; val 1 32767;"
		  "2: -2@0 +1@0u -1@1u; do +1@0 wakes 2; val 1 32766; end 2; val 0 32767;"
		  "3: -1@0 +5@1u +1@1 -1@0n; set 0@1; do +1@0 wakes 3=EAGAIN;"
		  "val 1 0; end 3; val 1 0",
};

/* Rule 8: a sleeper that would exceed SEMVMX gets ERANGE, nothing changes. */
FIXTURE_VARIANT_ADD(order, sleeper_ends_in_erange) {
	.nsems = 2,
	.script = "set 32767@1; 1: -1@0 +1@1; 2: -1@0; do +1@0 wakes 1=ERANGE 2;"
		  "val 0 32767; pid 2 me",
};

/* Rule 8: ERANGE of a sleeper leaves the value for those behind it. */
FIXTURE_VARIANT_ADD(order, erange_passes_on) {
	.nsems = 2,
	.script = "set 32767@1; 1: -2@0 +1@1; 2: -1@0 +1@1; 3: -1@0; 4: -1@0;"
		  "do +2@0 wakes 1=ERANGE 2=ERANGE 3 4; val 0 32767",
};

/* Rule 8: a sleeper's earlier operation can go out of range in its sleep. */
FIXTURE_VARIANT_ADD(order, earlier_operation_out_of_range) {
	.nsems = 2,
	.script = "set 32766@0; 1: +1@0 -1@1; ncnt 0 1; do +1@0 wakes 1=ERANGE;"
		  "val 32767 0",
};

/* Rule 8: SETVAL and SETALL evaluate sleepers too. */
FIXTURE_VARIANT_ADD(order, setting_ends_in_erange) {
	.nsems = 2,
	.script = "1: -1@0 +1@1; setall 1 32767 wakes 1=ERANGE; val 1 32767;"
		  "set 0@0; 2: -1@0 +1@1; set 1@0 wakes 2=ERANGE; val 1 32767",
};

/* Rule 8: no waiting on an operation with IPC_NOWAIT, on re-evaluation either. */
FIXTURE_VARIANT_ADD(order, sleeper_ends_in_eagain) {
	.nsems = 2,
	.script = "1: -1@0 -1@1n; do +1@0 wakes 1=EAGAIN; val 1 0; set 0@0;"
		  "2: -1@0 0@1n; set 1@1; 3: -1@0; do +1@0 wakes 2=EAGAIN 3; val 0 1",
};

/* Rule 8: the operation with IPC_NOWAIT may come first. */
FIXTURE_VARIANT_ADD(order, earlier_nowait_ends_in_eagain) {
	.nsems = 2,
	.script = "set 1@1; 1: -1@1n -1@0; ncnt 1 0; do -1@1 wakes 1=EAGAIN; val 0 0;"
		  "2: 0@1n -1@0; ncnt 1 0; do +1@1 wakes 2=EAGAIN; val 0 1",
};

/* Rule 8: zero waiters end in EAGAIN when one semaphore became zero. */
FIXTURE_VARIANT_ADD(order, zero_waiter_ends_in_eagain) {
	.nsems = 2,
	.script = "setall 1 1; 1: 0@0 0@1n; zcnt 1 0; do -1@0 wakes 1=EAGAIN; val 0 1;"
		  "set 0@1; set 1@0; 2: 0@1n 0@0; zcnt 1 0; do -1@0 wakes 2; val 0 0",
};

/* Rule 9: every zero waiter is released, the taker is not. */
FIXTURE_VARIANT_ADD(order, all_zero_waiters) {
	.nsems = 1,
	.script = "set 2@0; 1: 0@0; 2: 0@0; 3: -3@0; 4: 0@0; zcnt 3; ncnt 1;"
		  "do -1@0; do -1@0 wakes 1 2 4; val 0; zcnt 0; ncnt 1",
};

/* Rule 9: pure zero waiters go before an altering one that arrived earlier. */
FIXTURE_VARIANT_ADD(order, zero_waiter_before_altering) {
	.nsems = 1,
	.script = "set 1@0; 1: 0@0 +1@0; 2: 0@0; 3: 0@0 +1@0; zcnt 3;"
		  "do -1@0 wakes 1 2; val 1; pid 1; do -1@0 wakes 3; val 1; pid 3",
};

/* Rule 9: also in a zero between two grants. */
FIXTURE_VARIANT_ADD(order, zero_between_grants) {
	.nsems = 1,
	.script = "set 1@0; 1: -2@0; 2: 0@0 +3@0; 3: 0@0; 4: -3@0; do +1@0 wakes 1 2 3 4;"
		  "val 0; pid 4",
};

/* Rule 9: a zero between two grants of the same semaphore, then none. */
FIXTURE_VARIANT_ADD(order, zero_between_grants_then_refilled) {
	.nsems = 1,
	.script = "set 1@0; 1: -3@0; 2: 0@0 +1@0; 3: 0@0; 4: 0@0 +1@0; do +2@0 wakes 1 2 3;"
		  "val 1; zcnt 1",
};

/* Rule 9: a zero inside one call releases nobody. */
FIXTURE_VARIANT_ADD(order, zero_inside_a_call) {
	.nsems = 2,
	.script = "set 1@0; 1: 0@0; 2: 0@0 +1@1; do -1@0 +1@0; do -1@0 0@0n +1@0;"
		  "do -1@0n +2@0; val 2 0; do -2@0 +1@1 0@0n +1@0; val 1 1; zcnt 2 0;"
		  "do -1@0 wakes 1 2; val 0 2",
};

/* Rule 9: a zero inside a sleeper's operations releases nobody either. */
FIXTURE_VARIANT_ADD(order, zero_inside_a_sleeper) {
	.nsems = 1,
	.script = "set 1@0; 1: 0@0; 2: -2@0 +1@0; do +1@0 wakes 2; val 1; zcnt 1;"
		  "3: -2@0 0@0 +2@0 -1@0; do +1@0 wakes 3; val 1; zcnt 1",
};

/* Rule 9: a grant's zero on another semaphore. */
FIXTURE_VARIANT_ADD(order, grant_makes_zero_elsewhere) {
	.nsems = 2,
	.script = "set 1@1; 1: 0@1; 2: -1@0 -1@1; do +1@0 wakes 1 2; val 0 0;"
		  "set 1@1; 3: 0@1; 4: -1@0 -1@1; 5: 0@1 +1@0; do +1@0 wakes 3 4 5; val 1 0",
};

/* Rule 9: a zero waiter of several semaphores needs them all at once. */
FIXTURE_VARIANT_ADD(order, zero_of_several) {
	.nsems = 3,
	.script = "setall 1 1 1; 1: 0@0 0@1 0@2; do -1@1; do -1@0; do -1@2 wakes 1;"
		  "setall 1 1 0; 2: 0@0 0@1; do -1@0; do +1@0; do -1@1; do -1@0 wakes 2",
};

/* Rule 9: non-altering sleepers by SETVAL and SETALL. */
FIXTURE_VARIANT_ADD(order, zero_by_setting) {
	.nsems = 2,
	.script = "setall 5 6; 1: 0@0; 2: 0@0 0@1; 3: 0@1; set 0@0 wakes 1; set 7@0;"
		  "4: 0@0 +1@0; setall 0 0 wakes 2 3 4; val 1 0;"
		  "set 3@1; 5: 0@1; setall 0 1; set 0@1 wakes 5",
};

/* Rule 9: zero waiters by an adjustment at exit. */
FIXTURE_VARIANT_ADD(order, zero_by_undo) {
	.nsems = 2,
	.script = "1: -1@1 +2@0u; do +1@1 wakes 1; val 2 0; 2: 0@0; 3: 0@0 +1@1; end 1 wakes 2 3;"
		  "val 0 1",
};

/* Rule 10: arrival order on one semaphore. */
FIXTURE_VARIANT_ADD(order, arrival) {
	.nsems = 1,
	.script = "1: -1@0; 2: -1@0; 3: -1@0; 4: -1@0; do +1@0 wakes 1; pid 1;"
		  "do +1@0 wakes 2; do +2@0 wakes 3 4; pid 4; val 0",
};

/* Rule 10: a large request does not hold up small ones behind it. */
FIXTURE_VARIANT_ADD(order, small_passes_large) {
	.nsems = 1,
	.script = "1: -2@0; 2: -1@0; do +1@0 wakes 2; val 0; ncnt 1; do +1@0; val 1;"
		  "do +1@0 wakes 1; val 0",
};

/* Rule 10: the one that arrived first takes when several can. */
FIXTURE_VARIANT_ADD(order, large_first_takes_all) {
	.nsems = 1,
	.script = "1: -3@0; 2: -2@0; 3: -1@0; do +3@0 wakes 1; val 0; ncnt 2;"
		  "do +3@0 wakes 2 3; val 0; pid 3",
};

/* Rule 10: later ones take what the earlier ones leave. */
FIXTURE_VARIANT_ADD(order, rest_goes_to_whom_it_fits) {
	.nsems = 1,
	.script = "1: -2@0; 2: -2@0; 3: -1@0; 4: -1@0; do +3@0 wakes 1 3; val 0; pid 3;"
		  "do +1@0 wakes 4; do +1@0; val 1; do +1@0 wakes 2; val 0",
};

/* Rule 10: a call that can proceed does so though others wait. */
FIXTURE_VARIANT_ADD(order, barging) {
	.nsems = 2,
	.script = "1: -2@0; do +1@0; do -1@0; val 0 0; do +1@0; do -1@0 +1@1; val 0 1;"
		  "2: -1@0 -3@1; do -1@1n; val 0 0; ncnt 2 0",
};

/* Rule 10: single and multiple sleepers in one arrival order, multiple first. */
FIXTURE_VARIANT_ADD(order, multi_before_single) {
	.nsems = 2,
	.script = "1: -1@0 -1@1; 2: -1@0; 3: -1@1; do +1@0 +1@1 wakes 1; val 0 0; ncnt 1 1",
};

/* Rule 10: the same with the single ones first. */
FIXTURE_VARIANT_ADD(order, single_before_multi) {
	.nsems = 2,
	.script = "1: -1@1; 2: -1@0 -1@1; 3: -1@0; do +1@0 +1@1 wakes 1 3; val 0 0;"
		  "ncnt 1 0; do +1@0 +1@1 wakes 2",
};

/* Rule 10: a blocked multiple sleeper holds up nobody. */
FIXTURE_VARIANT_ADD(order, single_passes_blocked_multi) {
	.nsems = 2,
	.script = "1: -1@0 -1@1; 2: -1@0; 3: -1@1; do +1@0 wakes 2; do +1@1 wakes 3;"
		  "do +1@0; do +1@1 wakes 1; val 0 0",
};

/* Rule 10: singles and multiples in turns. */
FIXTURE_VARIANT_ADD(order, mixed_arrival) {
	.nsems = 2,
	.script = "1: -1@0; 2: -1@0 -1@1; 3: -1@0; 4: -1@1; 5: -1@1 -1@0;"
		  "do +2@0 +1@1 wakes 1 2; do +2@1 wakes 4; val 0 1; do +2@0 wakes 3 5;"
		  "val 0 0; pid 5 5",
};

/* Rule 10: two multiple sleepers that overlap in one semaphore. */
FIXTURE_VARIANT_ADD(order, overlapping_multis) {
	.nsems = 3,
	.script = "1: -1@0 -1@1; 2: -1@1 -1@2; do +1@1; do +1@2 wakes 2; do +1@1;"
		  "3: -1@1 -1@2; do +1@0 wakes 1; do +1@2; do +1@1 wakes 3; val 0 0 0",
};

/* Rule 10: the same two in arrival order when both could go. */
FIXTURE_VARIANT_ADD(order, overlapping_multis_in_order) {
	.nsems = 3,
	.script = "1: -1@1 -1@2; 2: -1@0 -1@1; do +1@0 +1@1 +1@2 wakes 1; val 1 0 0;"
		  "do +1@1 wakes 2; val 0 0 0",
};

/* Rule 10: the order of singles outlives a multiple that came and went. */
FIXTURE_VARIANT_ADD(order, order_outlives_multi) {
	.nsems = 2,
	.script = "1: -1@0; 2: -1@0; 3: -1@0 -1@1; 4: -1@0; kill 3; 5: -1@0;"
		  "do +1@0 wakes 1; do +1@0 wakes 2; do +1@0 wakes 4; do +1@0 wakes 5; val 0 0",
};

/* Rule 10: multiples that come and go twice, on different semaphores. */
FIXTURE_VARIANT_ADD(order, multis_come_and_go) {
	.nsems = 3,
	.script = "1: -1@0; 2: -1@1; 3: -1@0 -1@2; 4: -1@0; do +1@2; kill 3; 5: -2@1 -1@2;"
		  "6: -1@1; do +2@1 wakes 2 6; 7: -1@1; do +1@0 wakes 1; do +1@1 wakes 7;"
		  "do +2@1 wakes 5; val 0 0 0; do +1@0 wakes 4",
};

/* Rule 10: a killed sleeper loses its place and takes nothing. */
FIXTURE_VARIANT_ADD(order, killed_sleeper) {
	.nsems = 1,
	.script = "1: -1@0; 2: -1@0; 3: 0@0 -1@0; kill 1; do +1@0 wakes 2; kill 3; val 0;"
		  "ncnt 0; zcnt 0",
};

/* Rule 10: several operations on one semaphore wait in the same order. */
FIXTURE_VARIANT_ADD(order, several_operations_one_semaphore) {
	.nsems = 1,
	.script = "1: -1@0 -1@0; 2: -1@0; 3: -1@0 -1@0 +1@0; do +1@0 wakes 2;"
		  "do +2@0 wakes 1; do +2@0 wakes 3; val 1; pid 3",
};

/* Rule 10: SETVAL serves sleepers in arrival order. */
FIXTURE_VARIANT_ADD(order, setval_serves) {
	.nsems = 2,
	.script = "1: -2@0; 2: -1@0 -1@1; 3: -1@0; set 3@0 wakes 1 3; val 0 0;"
		  "set 2@1; set 1@0 wakes 2; val 0 1",
};

/* Rule 10: SETALL serves sleepers of all semaphores in arrival order. */
FIXTURE_VARIANT_ADD(order, setall_serves) {
	.nsems = 3,
	.script = "1: -1@2; 2: -1@0 -1@2; 3: -1@1; 4: -1@0; setall 1 1 1 wakes 1 3 4;"
		  "val 0 0 0; setall 2 2 2 wakes 2; val 1 2 1",
};

/* Rule 10: undo at exit serves sleepers in arrival order. */
FIXTURE_VARIANT_ADD(order, undo_serves) {
	.nsems = 2,
	.script = "setall 1 1; 1: 0@0 -1@1u; do -1@0 wakes 1; val 0 0;"
		  "2: -1@1 -1@0; 3: -1@1; 4: -1@1; end 1 wakes 3; val 0 0;"
		  "set 1@0; do +1@1 wakes 2",
};

/* Rule 11: a grant's post runs the next one, at once. */
FIXTURE_VARIANT_ADD(order, chain) {
	.nsems = 4,
	.script = "1: -1@0 +1@1; 2: -1@1 +1@2; 3: -1@2 +1@3; 4: -1@3; do +1@0 wakes 1 2 3 4;"
		  "val 0 0 0 0; pid 1 2 3 4",
};

/* Rule 11: a chain that runs against the arrival order. */
FIXTURE_VARIANT_ADD(order, chain_against_arrival) {
	.nsems = 4,
	.script = "1: -1@3; 2: -1@2 +1@3; 3: -1@1 +1@2; 4: -1@0 +1@1; do +1@0 wakes 1 2 3 4;"
		  "val 0 0 0 0; pid 4 3 2 1",
};

/* Rule 11: a chain whose operations come before what they wait for. */
FIXTURE_VARIANT_ADD(order, chain_posts_first) {
	.nsems = 3,
	.script = "1: +1@1 -1@0; 2: +1@2 -1@1; 3: -1@2; do +1@0 wakes 1 2 3; val 0 0 0",
};

/* Rule 11: one grant releases many. */
FIXTURE_VARIANT_ADD(order, chain_fans_out) {
	.nsems = 3,
	.script = "1: -1@1; 2: -1@2; 3: -1@1; 4: -1@1; 5: -1@0 +2@1 +1@2;"
		  "do +1@0 wakes 1 2 3 5; val 0 0 0; ncnt 0 1 0",
};

/* Rule 11: a chain through a zero. */
FIXTURE_VARIANT_ADD(order, chain_through_zero) {
	.nsems = 2,
	.script = "set 1@0; 1: -1@1; 2: 0@0 +1@1; 3: 0@0; do -1@0 wakes 1 2 3; val 0 0;"
		  "setall 1 1; 4: 0@1; 5: 0@0 -1@1; do -1@0 wakes 4 5; val 0 0",
};

/* Rule 11: a chain on one semaphore. */
FIXTURE_VARIANT_ADD(order, chain_on_one_semaphore) {
	.nsems = 1,
	.script = "1: -3@0; 2: -2@0; 3: -1@0 +2@0; do +1@0 wakes 2 3; val 0; pid 2;"
		  "4: -2@0 +4@0; do +2@0 wakes 4 1; val 1; pid 1",
};

/* Rule 11: a chain started by SETVAL, by SETALL and by undo at exit. */
FIXTURE_VARIANT_ADD(order, chain_by_other_means) {
	.nsems = 3,
	.script = "1: -1@0 +1@1; 2: -1@1; set 1@0 wakes 1 2; val 0 0 0;"
		  "3: -1@0 +1@1; 4: -1@1; setall 1 0 0 wakes 3 4; val 0 0 0;"
		  "set 2@2; 5: -1@2u 0@2; do -1@2 wakes 5; 6: -1@2 +1@0; 7: -1@0; end 5 wakes 6 7;"
		  "val 0 0 0",
};

/* Rule 11: ERANGE ends a chain, the values before it stay. */
FIXTURE_VARIANT_ADD(order, chain_breaks_at_erange) {
	.nsems = 3,
	.script = "set 32767@2; 1: -1@0 +1@1; 2: -1@1 +1@2; 3: 0@1 -1@0; do +1@0 wakes 1 2=ERANGE;"
		  "val 0 1 32767; ncnt 0 0 0; zcnt 0 1 0",
};

/* Rules 10, 11: after a grant the search starts with the oldest sleeper. */
FIXTURE_VARIANT_ADD(order, oldest_first_after_grant) {
	.nsems = 2,
	.script = "1: -2@1; 2: -1@0 +2@1; 3: -1@1; 4: -1@1; do +1@0 wakes 1 2; val 0 0;"
		  "ncnt 0 2; pid 2 1",
};

/* Rules 9, 10, 11: zero waiters, singles and multiples in one cascade. */
FIXTURE_VARIANT_ADD(order, cascade) {
	.nsems = 3,
	.script = "setall 0 2 1; 1: 0@2; 2: -1@0 -2@1; 3: 0@1; 4: 0@1 -1@2; 5: 0@2 +1@0; 6: -1@0;"
		  "do +1@0 wakes 2 3 4 1 5 6; val 0 0 0; pid 6 4 5",
};

static void ignore_signal(int sig)
{
	(void)sig;
}

/*
 * Puts the test before the sleepers on the CPU that they share: after this they
 * run only while the test blocks. False without the right to.
 */
static bool outrank_sleepers(void)
{
	struct sched_param param = { .sched_priority = 1 };

	return !sched_setscheduler(0, SCHED_FIFO, &param);
}

static void share_one_cpu(void)
{
	cpu_set_t allowed, one;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		sem_die("sched_getaffinity: %s", strerror(errno));
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		sem_die("sched_setaffinity: %s", strerror(errno));
}

/* Rules 11, 15: the waker completes the operation, with the sleeper's pid. */
TEST(hand_off_before_the_sleeper_runs)
{
	struct sleeper *s;
	int id;

	ENTER_NS_OR_SKIP();
	id = sem_new(2);
	share_one_cpu();
	s = sleeper_asleep(id, 0, -1, 0);
	if (!outrank_sleepers())
		SKIP(return, "SCHED_FIFO is not allowed");

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sem_val(id, 0));
	EXPECT_EQ(0, sem_ncnt(id, 0));
	EXPECT_EQ(s->pid, sem_pid(id, 0));
	EXPECT_EQ(-EAGAIN, sem_op(id, 0, -1, IPC_NOWAIT));
	EXPECT_EQ(0, sem_op(id, 1, 1, 0));
	EXPECT_FALSE(sleeper_done(s));
	EXPECT_EQ(0, sleeper_end(s));
}

/* Rules 11, 22: a sleeper that was served keeps its result when the set goes. */
TEST(result_outlives_set)
{
	struct sleeper *served, *other;
	int id;

	ENTER_NS_OR_SKIP();
	id = sem_new(1);
	share_one_cpu();
	served = sleeper_asleep(id, 0, -1, 0);
	other = sleeper_asleep(id, 0, -1, 0);
	if (!outrank_sleepers())
		SKIP(return, "SCHED_FIFO is not allowed");

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sem_rm(id));
	EXPECT_FALSE(sleeper_done(served));
	EXPECT_EQ(0, sleeper_end(served));
	EXPECT_EQ(-EIDRM, sleeper_end(other));
}

/* Rules 11, 13: what a killed sleeper was given before stays taken. */
TEST(killed_after_hand_off)
{
	struct sleeper *s;
	int id;

	ENTER_NS_OR_SKIP();
	id = sem_new(1);
	share_one_cpu();
	s = sleeper_asleep(id, 0, -1, 0);
	if (!outrank_sleepers())
		SKIP(return, "SCHED_FIFO is not allowed");

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_FALSE(sleeper_done(s));
	sleeper_kill(s);
	EXPECT_EQ(0, sem_val(id, 0));
	EXPECT_EQ(-EAGAIN, sem_op(id, 0, -1, IPC_NOWAIT));
}

/* Rules 11, 18: and is given back at its exit with SEM_UNDO. */
TEST(killed_after_hand_off_with_undo)
{
	struct sleeper *s;
	pid_t pid;
	int id;

	ENTER_NS_OR_SKIP();
	id = sem_new(1);
	share_one_cpu();
	s = sleeper_asleep(id, 0, -1, SEM_UNDO);
	if (!outrank_sleepers())
		SKIP(return, "SCHED_FIFO is not allowed");

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sem_val(id, 0));
	EXPECT_FALSE(sleeper_done(s));
	pid = s->pid;
	sleeper_kill(s);
	EXPECT_EQ(1, sem_val(id, 0));
	EXPECT_EQ(pid, sem_pid(id, 0));
}

/* Rules 11, 13: a signal that comes after the hand-off does not undo it. */
TEST(signal_after_hand_off)
{
	struct sleeper *s;
	int id;

	ENTER_NS_OR_SKIP();
	signal(SIGUSR1, ignore_signal);
	id = sem_new(1);
	share_one_cpu();
	s = sleeper_asleep(id, 0, -1, 0);
	if (!outrank_sleepers())
		SKIP(return, "SCHED_FIFO is not allowed");

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	sleeper_signal(s, SIGUSR1);
	EXPECT_FALSE(sleeper_done(s));
	EXPECT_EQ(0, sleeper_end(s));
	EXPECT_EQ(0, sem_val(id, 0));
}

#define CHAIN	60

/* Rules 11, 30: a long chain is one step, whatever its length. */
TEST(long_chain)
{
	struct sembuf sops[CHAIN][2];
	struct sleeper *sleepers[CHAIN];
	unsigned short vals[CHAIN + 1];
	int id, i;

	ENTER_NS_OR_SKIP();
	id = sem_new(CHAIN + 1);
	for (i = 0; i < CHAIN; i++) {
		sops[i][0] = (struct sembuf) { i, -1, 0 };
		sops[i][1] = (struct sembuf) { i + 1, 1, 0 };
		sleepers[i] = sleeper_thread_ops(id, sops[i], 2, NULL);
	}
	sem_wait_sleepers(id, CHAIN);
	ASSERT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sem_sleepers(id));
	ASSERT_EQ(0, sem_getall(id, vals));
	for (i = 0; i < CHAIN; i++) {
		EXPECT_EQ(0, vals[i]);
		EXPECT_EQ(0, sleeper_end(sleepers[i]));
	}
	EXPECT_EQ(1, vals[CHAIN]);
}

#define CROWD	60

/* Rule 10: arrival order of a crowd, seen in who is left after each post. */
TEST(crowd_in_arrival_order)
{
	struct sembuf one = { 0, -1, 0 };
	struct sembuf two[2] = { { 0, -1, 0 }, { 1, -1, 0 } };
	struct sleeper *sleepers[CROWD];
	int id, i;

	ENTER_NS_OR_SKIP();
	id = sem_new(2);
	for (i = 0; i < CROWD; i++) {
		sleepers[i] = i % 3 == 2 ? sleeper_thread_ops(id, two, 2, NULL) :
					   sleeper_thread_ops(id, &one, 1, NULL);
		sem_wait_ncnt(id, 0, i + 1);
	}
	ASSERT_EQ(0, sem_op(id, 1, CROWD / 3, 0));
	for (i = 0; i < CROWD; i++) {
		ASSERT_EQ(0, sem_op(id, 0, 1, 0));
		ASSERT_EQ(CROWD - 1 - i, sem_ncnt(id, 0));
		ASSERT_EQ(0, sleeper_end(sleepers[i]));
	}
	EXPECT_EQ(0, sem_val(id, 0));
	EXPECT_EQ(0, sem_val(id, 1));
}

TEST_HARNESS_MAIN
