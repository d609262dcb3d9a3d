// SPDX-License-Identifier: GPL-2.0
/*
 * GETNCNT and GETZCNT count each sleeper once: where it blocks at present, by
 * the kind of its wait. Scripts as in sem_script.h.
 */
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_script.h"
#include "sem_test.h"

FIXTURE(counts) {
	int unused;
};

FIXTURE_VARIANT(counts) {
	int nsems;
	const char *script;
};

FIXTURE_SETUP(counts)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(counts)
{
}

TEST_F(counts, script)
{
	sem_script(variant->nsems, variant->script);
}

/* Rule 12: takers by the number of sleepers, not by what they take. */
FIXTURE_VARIANT_ADD(counts, takers) {
	.nsems = 2,
	.script = "ncnt 0 0; zcnt 0 0; 1: -1@0; 2: -5@0; 3: -1@1; ncnt 2 1; zcnt 0 0;"
		  "do +1@0 wakes 1; ncnt 1 1; kill 2; ncnt 0 1; do +1@1 wakes 3; ncnt 0 0",
};

/* Rule 12: zero waiters. */
FIXTURE_VARIANT_ADD(counts, zero_waiters) {
	.nsems = 2,
	.script = "setall 1 1; 1: 0@0; 2: 0@0; 3: 0@1; zcnt 2 1; ncnt 0 0; kill 1; zcnt 1 1;"
		  "do -1@0 wakes 2; zcnt 0 1; set 0@1 wakes 3; zcnt 0 0",
};

/* Rule 12: takers and zero waiters of one semaphore. */
FIXTURE_VARIANT_ADD(counts, both_kinds) {
	.nsems = 1,
	.script = "set 1@0; 1: 0@0; 2: -2@0; 3: 0@0; 4: -3@0; zcnt 2; ncnt 2; do -1@0 wakes 1 3;"
		  "zcnt 0; ncnt 2",
};

/* Rule 12: an altering call blocked at its zero test is a zero waiter. */
FIXTURE_VARIANT_ADD(counts, altering_at_zero_test) {
	.nsems = 2,
	.script = "set 1@0; 1: 0@0 +1@0; 2: 0@0 -1@1; 3: +1@1 0@0; zcnt 3 0; ncnt 0 0;"
		  "kill 3; do -1@0 wakes 1; zcnt 1 0; ncnt 0 0",
};

/* Rule 12: a sleeper moves with what blocks it. */
FIXTURE_VARIANT_ADD(counts, moves_forward_and_back) {
	.nsems = 3,
	.script = "1: -1@0 -1@1 -1@2; ncnt 1 0 0; do +1@0; ncnt 0 1 0; do +1@1; ncnt 0 0 1;"
		  "do -1@0; ncnt 1 0 0; do -1@1; ncnt 1 0 0; do +1@0; ncnt 0 1 0;"
		  "do +1@2; ncnt 0 1 0; do +1@1 wakes 1; ncnt 0 0 0",
};

/* Rule 12: a sleeper changes kind with what blocks it. */
FIXTURE_VARIANT_ADD(counts, changes_kind) {
	.nsems = 2,
	.script = "set 1@0; 1: 0@0 -1@1; zcnt 1 0; ncnt 0 0; do -1@0; zcnt 0 0; ncnt 0 1;"
		  "do +2@0; zcnt 1 0; ncnt 0 0; do +1@1; zcnt 1 0; ncnt 0 0; do -2@0 wakes 1;"
		  "zcnt 0 0; ncnt 0 0",
};

/* Rule 12: it changes kind on one and the same semaphore. */
FIXTURE_VARIANT_ADD(counts, changes_kind_on_one_semaphore) {
	.nsems = 1,
	.script = "set 2@0; 1: -1@0 0@0; zcnt 1; ncnt 0; do -2@0; zcnt 0; ncnt 1;"
		  "set 5@0; zcnt 1; ncnt 0; set 1@0 wakes 1; val 0",
};

/* Rule 12: once, however often its semaphore occurs in the call. */
FIXTURE_VARIANT_ADD(counts, once_with_many_operations) {
	.nsems = 2,
	.script = "1: -1@0 -1@0 -1@0; ncnt 1 0; 2: -1@1 -1@0 -1@1; ncnt 1 1; zcnt 0 0;"
		  "do +2@0; ncnt 1 1; do +1@0 wakes 1; ncnt 0 1;"
		  "set 1@0; 3: 0@0 0@0 0@0; zcnt 1 0; do -1@0 wakes 3; zcnt 0 0",
};

/* Rule 12: zero waiters of several semaphores move too. */
FIXTURE_VARIANT_ADD(counts, zero_of_several) {
	.nsems = 3,
	.script = "setall 1 1 1; 1: 0@0 0@1 0@2; zcnt 1 0 0; do -1@0; zcnt 0 1 0;"
		  "do -1@1; zcnt 0 0 1; ncnt 0 0 0; do -1@2 wakes 1; zcnt 0 0 0",
};

/* Rule 12: SETVAL and SETALL move sleepers. */
FIXTURE_VARIANT_ADD(counts, moved_by_setting) {
	.nsems = 2,
	.script = "1: -2@0 -2@1; 2: -3@0 0@1; ncnt 2 0; set 2@0; ncnt 1 1; setall 9 1; ncnt 0 1;"
		  "zcnt 0 1; setall 1 9; ncnt 2 0; zcnt 0 0; setall 9 0 wakes 2; val 6 0;"
		  "ncnt 0 1",
};

/* Rule 12: grants move the sleepers that stay. */
FIXTURE_VARIANT_ADD(counts, moved_by_grants) {
	.nsems = 3,
	.script = "1: -1@0 -1@1; 2: -1@0 +1@1 -1@2; 3: -1@2 +1@0; ncnt 2 0 1; do +1@0;"
		  "ncnt 0 1 2; do +1@2 wakes 2; val 0 1 0; ncnt 1 0 1; do +1@2 wakes 3 1;"
		  "val 0 0 0",
};

/* Rule 12: moved by adjustments at exit. */
FIXTURE_VARIANT_ADD(counts, moved_by_undo) {
	.nsems = 2,
	.script = "1: -1@0 +1@1u; do +1@0 wakes 1; 2: -2@1 -1@0; do +1@1; ncnt 1 0;"
		  "end 1; val 0 1; ncnt 0 1; do +1@1; ncnt 1 0",
};

/* Rule 12: every sleeper once, singles and multiples at a time. */
FIXTURE_VARIANT_ADD(counts, mixed) {
	.nsems = 3,
	.script = "setall 0 1 2; 1: -1@0; 2: 0@1; 3: -1@1 0@2; 4: 0@1 -1@0; 5: 0@2; 6: -3@2;"
		  "7: -1@2 -2@1; 8: -1@0 -1@1; ncnt 2 1 1; zcnt 0 2 2;"
		  "do +1@0 wakes 1; ncnt 1 1 1; zcnt 0 2 2; do -1@1 wakes 2; ncnt 2 2 1;"
		  "zcnt 0 0 1",
};

#define MANY	50

/* Rule 12: many sleepers, the counts are exact at any time. */
TEST(many_sleepers)
{
	struct sembuf take = { 0, -1, 0 };
	struct sembuf wait_then_take[2] = { { 1, 0, 0 }, { 0, -1, 0 } };
	struct sleeper *sleepers[MANY];
	int id, i;

	ENTER_NS_OR_SKIP();
	id = sem_new(2);
	ASSERT_EQ(0, sem_setval(id, 1, 1));
	for (i = 0; i < MANY; i++) {
		sleepers[i] = i % 2 ?
			sleeper_thread_ops(id, wait_then_take, 2, NULL) :
			sleeper_thread_ops(id, &take, 1, NULL);
		sem_wait_sleepers(id, i + 1);
	}
	EXPECT_EQ(MANY / 2, sem_ncnt(id, 0));
	EXPECT_EQ(MANY / 2, sem_zcnt(id, 1));
	EXPECT_EQ(0, sem_zcnt(id, 0));
	EXPECT_EQ(0, sem_ncnt(id, 1));

	EXPECT_EQ(0, sem_setval(id, 1, 0));
	EXPECT_EQ(MANY, sem_ncnt(id, 0));
	EXPECT_EQ(0, sem_zcnt(id, 1));
	for (i = 0; i < MANY; i++) {
		ASSERT_EQ(0, sem_op(id, 0, 1, 0));
		ASSERT_EQ(MANY - 1 - i, sem_ncnt(id, 0));
		ASSERT_EQ(0, sleeper_end(sleepers[i]));
	}
}

TEST_HARNESS_MAIN
