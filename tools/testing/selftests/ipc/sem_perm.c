// SPDX-License-Identifier: GPL-2.0
/*
 * Who may do what with a set: mode bits of owner, creator, group and others,
 * capabilities, and user namespaces.
 */
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

#define CAP(name)	(1ULL << (name))
#define OWNER		1000
#define OTHER		1001
#define GROUP		2000
#define OTHER_GROUP	2001

/* The permission of one call and what it needs, as bits of a mode. */
enum { NEEDS_WRITE = 2, NEEDS_READ = 4 };

static int try_post(int id)
{
	return sem_op(id, 0, 1, IPC_NOWAIT);
}

static int try_take(int id)
{
	return sem_op(id, 0, -1, IPC_NOWAIT);
}

static int try_zero(int id)
{
	return sem_op(id, 1, 0, IPC_NOWAIT);
}

static int try_zero_undo(int id)
{
	return sem_op(id, 1, 0, IPC_NOWAIT | SEM_UNDO);
}

static int try_zero_and_post(int id)
{
	static const struct sembuf ops[] = {
		{ 1, 0, IPC_NOWAIT }, { 0, 1, 0 },
	};

	return sem_ops(id, ops, 2);
}

static int try_getval(int id)
{
	int val = sem_val(id, 0);

	return val < 0 ? val : 0;
}

static int try_getpid(int id)
{
	int pid = sem_pid(id, 0);

	return pid < 0 ? pid : 0;
}

static int try_getncnt(int id)
{
	return sem_ncnt(id, 0);
}

static int try_getzcnt(int id)
{
	return sem_zcnt(id, 0);
}

static int try_getall(int id)
{
	unsigned short vals[2];

	return sem_getall(id, vals);
}

static int try_stat(int id)
{
	struct semid_ds ds;

	return sem_stat(id, &ds);
}

static int try_setval(int id)
{
	return sem_setval(id, 0, 100);
}

static int try_setall(int id)
{
	static const unsigned short vals[2] = { 100, 0 };

	return sem_setall(id, vals);
}

static const struct {
	const char *name;
	int (*try)(int id);
	int needs;
} calls[] = {
	{ "post", try_post, NEEDS_WRITE },
	{ "take", try_take, NEEDS_WRITE },
	{ "wait for zero", try_zero, NEEDS_READ },
	{ "wait for zero with undo", try_zero_undo, NEEDS_READ },
	{ "wait for zero and post", try_zero_and_post, NEEDS_WRITE },
	{ "GETVAL", try_getval, NEEDS_READ },
	{ "GETPID", try_getpid, NEEDS_READ },
	{ "GETNCNT", try_getncnt, NEEDS_READ },
	{ "GETZCNT", try_getzcnt, NEEDS_READ },
	{ "GETALL", try_getall, NEEDS_READ },
	{ "IPC_STAT", try_stat, NEEDS_READ },
	{ "SETVAL", try_setval, NEEDS_WRITE },
	{ "SETALL", try_setall, NEEDS_WRITE },
};

/* Number of calls whose result does not fit the bits; prints them. */
static int wrong_results(int id, int bits, const char *who)
{
	size_t i;
	int wrong = 0;

	for (i = 0; i < ARRAY_LEN(calls); i++) {
		int want = bits & calls[i].needs ? 0 : -EACCES;
		int seen = calls[i].try(id);

		if (seen != want) {
			printf("# %s with bits %o: %s returns %d\n", who, bits,
			       calls[i].name, seen);
			wrong++;
		}
	}
	fflush(stdout);
	return wrong;
}

static int set_perm(int id, uid_t uid, gid_t gid, int mode)
{
	struct semid_ds ds = {
		.sem_perm = { .uid = uid, .gid = gid, .mode = mode },
	};
	union semun arg = { .buf = &ds };

	return semctl(id, 0, IPC_SET, arg) ? -errno : 0;
}

/* A set whose value 0 allows takes and whose value 1 is zero. */
static int new_set(int mode)
{
	int id = sem_new(2);

	if (sem_setval(id, 0, 100) || set_perm(id, geteuid(), getegid(), mode))
		sem_die("cannot prepare a set");
	return id;
}

FIXTURE(owner) {
	int unused;
};

FIXTURE_SETUP(owner)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(owner)
{
}

/* Rule 4: the owner's bits hold for the owner, whatever others may. */
TEST_F(owner, mode_bits)
{
	int ids[8], mode;

	for (mode = 0; mode < 8; mode++)
		ids[mode] = new_set(mode << 6 | (7 - mode) << 3 | (7 - mode));
	sem_limit_caps(0);
	for (mode = 0; mode < 8; mode++)
		EXPECT_EQ(0, wrong_results(ids[mode], mode, "owner"));
}

/* Rule 4: what an existing key's semget asks for must be allowed. */
TEST_F(owner, semget_bits)
{
	const key_t key = getpid();
	int asked, mode, id;

	sem_limit_caps(0);
	for (mode = 0; mode < 8; mode++) {
		id = semget(key + mode, 1, IPC_CREAT | mode << 6);
		ASSERT_LE(0, id);
		for (asked = 0; asked < 8; asked++) {
			int want = asked & ~mode ? -1 : id;

			EXPECT_EQ(want, semget(key + mode, 1, asked << 6));
			if (want < 0)
				EXPECT_EQ(EACCES, errno);
		}
	}
}

/* Rule 4: the owner may set and remove without any bit. */
TEST_F(owner, sets_and_removes_without_bits)
{
	int id = new_set(0);

	sem_limit_caps(0);
	EXPECT_EQ(-EACCES, sem_val(id, 0));
	EXPECT_EQ(0, set_perm(id, geteuid(), getegid(), 0400));
	EXPECT_EQ(100, sem_val(id, 0));
	EXPECT_EQ(-EACCES, sem_setval(id, 0, 1));
	EXPECT_EQ(0, set_perm(id, geteuid(), getegid(), 0));
	EXPECT_EQ(0, sem_rm(id));
}

/* Rule 4: IPC_SET takes the nine bits of a mode and nothing more. */
TEST_F(owner, mode_is_masked)
{
	int id = new_set(0600);
	struct semid_ds ds;

	EXPECT_EQ(0, set_perm(id, geteuid(), getegid(), 07777));
	ASSERT_EQ(0, sem_stat(id, &ds));
	EXPECT_EQ(0777, ds.sem_perm.mode);
	EXPECT_EQ(2, ds.sem_nsems);
}

/* Rule 4: CAP_IPC_OWNER reads and writes, but does not remove or set. */
TEST_F(owner, cap_ipc_owner)
{
	int id = new_set(0);
	int mine = new_set(0600);

	sem_limit_caps(CAP(CAP_IPC_OWNER));
	EXPECT_EQ(0, wrong_results(id, NEEDS_READ | NEEDS_WRITE,
				   "CAP_IPC_OWNER"));
	EXPECT_EQ(0, sem_rm(mine));
}

/* Rule 4: CAP_SYS_ADMIN does not read or write. */
TEST_F(owner, cap_sys_admin)
{
	int id = new_set(0);

	sem_limit_caps(CAP(CAP_SYS_ADMIN));
	EXPECT_EQ(0, wrong_results(id, 0, "CAP_SYS_ADMIN"));
}

/* Rule 4: a refused call changes nothing, and does not sleep. */
TEST_F(owner, refused_call_changes_nothing)
{
	int id = new_set(0);

	sem_limit_caps(0);
	EXPECT_EQ(-EACCES, sem_op(id, 0, 1, SEM_UNDO));
	EXPECT_EQ(-EACCES, sem_op(id, 1, -1, 0));
	EXPECT_EQ(-EACCES, sem_setval(id, 0, 9));
	ASSERT_EQ(0, set_perm(id, geteuid(), getegid(), 0400));
	EXPECT_EQ(100, sem_val(id, 0));
	EXPECT_EQ(0, sem_ncnt(id, 1));
}

/* Rule 4: permissions are those at the call, not those at a sleep's end. */
TEST_F(owner, sleeper_outlives_its_permission)
{
	int id = new_set(0600);
	struct sleeper *sleeper = sleeper_asleep(id, 1, -1, 0);

	ASSERT_EQ(0, set_perm(id, geteuid(), getegid(), 0200));
	EXPECT_EQ(0, sem_op(id, 1, 1, 0));
	EXPECT_EQ(0, sleeper_end(sleeper));
}

/* Users and groups that are not the caller's: only root can have them. */
FIXTURE(users) {
	int unused;
};

FIXTURE_SETUP(users)
{
	ENTER_NS_OR_SKIP();
	if (!sem_real_root())
		SKIP(return, "needs several users");
}

FIXTURE_TEARDOWN(users)
{
}

struct user {
	uid_t uid;
	gid_t gid;
	gid_t extra_group;	/* 0: none */
	unsigned long long caps;
};

static void become(const struct user *user)
{
	if (prctl(PR_SET_KEEPCAPS, user->caps != 0) ||
	    setgroups(user->extra_group ? 1 : 0, &user->extra_group) ||
	    setresgid(user->gid, user->gid, user->gid) ||
	    setresuid(user->uid, user->uid, user->uid))
		sem_die("cannot become user %d: %s", user->uid, strerror(errno));
	sem_limit_caps(user->caps);
}

struct visit {
	struct user user;
	int id;
	int bits;
	const char *who;
};

static int visit_set(void *arg)
{
	const struct visit *visit = arg;

	become(&visit->user);
	return wrong_results(visit->id, visit->bits, visit->who);
}

static int wrong_as(struct user user, int id, int bits, const char *who)
{
	struct visit visit = { user, id, bits, who };

	return run_in_child(visit_set, &visit);
}

static int remove_set(void *arg)
{
	const struct visit *visit = arg;

	become(&visit->user);
	return sem_rm(visit->id);
}

static int change_set(void *arg)
{
	const struct visit *visit = arg;

	become(&visit->user);
	return set_perm(visit->id, OTHER, OTHER_GROUP, 0640);
}

static int create_set(void *arg)
{
	const struct visit *visit = arg;

	become(&visit->user);
	return semget(IPC_PRIVATE, 2, visit->bits);
}

/* What @what, as another user, returns. */
static int as_user(struct user user, int id, sleeper_fn what)
{
	struct visit visit = { .user = user, .id = id };

	return run_in_child(what, &visit);
}

/* A set created by one user and given to another one and a group. */
static int given_set(uid_t creator, gid_t creator_group, uid_t uid, gid_t gid,
		     int mode)
{
	struct visit visit = { { creator, creator_group }, .bits = 0600 };
	int id = run_in_child(create_set, &visit);

	if (id < 0 || sem_setval(id, 0, 100) || set_perm(id, uid, gid, mode))
		sem_die("cannot prepare a set");
	return id;
}

/* Rule 4: one class of bits holds for each user: owner's, group's, others'. */
TEST_F(users, classes)
{
	int mode, id;

	for (mode = 0; mode < 8; mode++) {
		int rest = 7 - mode;

		id = given_set(OWNER, GROUP, OWNER, GROUP,
			       mode << 6 | rest << 3 | rest);
		EXPECT_EQ(0, wrong_as((struct user) { OWNER, OTHER_GROUP }, id,
				      mode, "owner"));
		EXPECT_EQ(0, wrong_as((struct user) { OWNER, GROUP }, id, mode,
				      "owner in the group"));

		id = given_set(OWNER, GROUP, OWNER, GROUP,
			       rest << 6 | mode << 3 | rest);
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, GROUP }, id, mode,
				      "group"));
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, OTHER_GROUP, GROUP },
				      id, mode, "supplementary group"));

		id = given_set(OWNER, GROUP, OWNER, GROUP,
			       rest << 6 | rest << 3 | mode);
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, OTHER_GROUP }, id,
				      mode, "others"));
	}
}

/* Rule 4: creator and creator's group keep their class when others own it. */
TEST_F(users, creator)
{
	int mode, id;

	for (mode = 0; mode < 8; mode++) {
		int rest = 7 - mode;

		id = given_set(OWNER, GROUP, OTHER, OTHER_GROUP,
			       mode << 6 | rest << 3 | rest);
		EXPECT_EQ(0, wrong_as((struct user) { OWNER, GROUP }, id, mode,
				      "creator"));
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, GROUP }, id, mode,
				      "owner by IPC_SET"));
		id = given_set(OWNER, GROUP, OWNER, OTHER_GROUP,
			       rest << 6 | mode << 3 | rest);
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, GROUP }, id, mode,
				      "creator's group"));
		EXPECT_EQ(0, wrong_as((struct user) { OTHER, OTHER_GROUP }, id,
				      mode, "group by IPC_SET"));
	}
}

/* Rule 4: owner and creator may set and remove, group and others may not. */
TEST_F(users, set_and_remove)
{
	static const struct {
		struct user user;
		int want;
	} rows[] = {
		{ { OWNER, 3000 }, 0 },
		{ { OTHER, 3000 }, 0 },
		{ { 3000, GROUP }, -EPERM },
		{ { 3000, OTHER_GROUP }, -EPERM },
		{ { 3000, 3000, GROUP }, -EPERM },
		{ { 3000, 3000 }, -EPERM },
		{ { 3000, 3000, 0, CAP(CAP_IPC_OWNER) }, -EPERM },
		{ { 3000, 3000, 0, ~CAP(CAP_SYS_ADMIN) }, -EPERM },
		{ { 3000, 3000, 0, CAP(CAP_SYS_ADMIN) }, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		int id = given_set(OWNER, GROUP, OTHER, OTHER_GROUP, 0777);

		EXPECT_EQ(rows[i].want,
			  as_user(rows[i].user, id, change_set))
			TH_LOG("IPC_SET of row %zu", i);
		EXPECT_EQ(rows[i].want,
			  as_user(rows[i].user, id, remove_set))
			TH_LOG("IPC_RMID of row %zu", i);
		EXPECT_EQ(rows[i].want ? 100 : -EINVAL, sem_val(id, 0));
	}
}

/* Rule 4: IPC_SET changes uid, gid and mode, nothing of the creator's. */
TEST_F(users, set_changes)
{
	int id = given_set(OWNER, GROUP, OWNER, GROUP, 0600);
	struct semid_ds ds;

	EXPECT_EQ(0, as_user((struct user) { OWNER, GROUP }, id, change_set));
	ASSERT_EQ(0, sem_stat(id, &ds));
	EXPECT_EQ(OTHER, ds.sem_perm.uid);
	EXPECT_EQ(OTHER_GROUP, ds.sem_perm.gid);
	EXPECT_EQ(0640, ds.sem_perm.mode);
	EXPECT_EQ(OWNER, ds.sem_perm.cuid);
	EXPECT_EQ(GROUP, ds.sem_perm.cgid);
	EXPECT_EQ(2, ds.sem_nsems);
	EXPECT_EQ(0, ds.sem_otime);
}

/* Rule 4: an owner who gave the set away, and did not create it, is no one. */
TEST_F(users, former_owner)
{
	int id = given_set(3000, 3000, OWNER, GROUP, 0600);

	EXPECT_EQ(0, as_user((struct user) { OWNER, GROUP }, id, change_set));
	EXPECT_EQ(-EPERM, as_user((struct user) { OWNER, GROUP }, id, change_set));
	EXPECT_EQ(-EPERM, as_user((struct user) { OWNER, GROUP }, id, remove_set));
	EXPECT_EQ(0, wrong_as((struct user) { OWNER, GROUP }, id, 0,
			      "former owner"));
	EXPECT_EQ(0, as_user((struct user) { 3000, 3000 }, id, remove_set));
}

static int read_with_effective_uid(void *arg)
{
	int id = *(int *)arg;
	int as_other;

	if (setgroups(0, NULL) || setresgid(3000, 3000, 3000) ||
	    setresuid(OWNER, OTHER, OTHER))
		return -errno;
	as_other = sem_val(id, 0);
	if (as_other != -EACCES || setresuid(-1, OWNER, -1))
		return as_other;
	return sem_val(id, 0);
}

/* Rule 4: the effective ids count. */
TEST_F(users, effective_ids)
{
	int id = given_set(OWNER, GROUP, OWNER, GROUP, 0600);

	EXPECT_EQ(100, run_in_child(read_with_effective_uid, &id));
}

/* Rule 4: new sets belong to the effective ids of their creator. */
TEST_F(users, new_set_belongs_to_creator)
{
	struct visit visit = { { OWNER, GROUP }, .bits = 0640 };
	int id = run_in_child(create_set, &visit);
	struct semid_ds ds;

	ASSERT_LE(0, id);
	ASSERT_EQ(0, sem_stat(id, &ds));
	EXPECT_EQ(OWNER, ds.sem_perm.uid);
	EXPECT_EQ(OWNER, ds.sem_perm.cuid);
	EXPECT_EQ(GROUP, ds.sem_perm.gid);
	EXPECT_EQ(GROUP, ds.sem_perm.cgid);
	EXPECT_EQ(0640, ds.sem_perm.mode);
}

static int enter_user_ns_as(const struct visit *visit)
{
	become(&visit->user);
	/* A change of ids makes /proc/self root's, which the map must not be. */
	prctl(PR_SET_DUMPABLE, 1);
	return sem_enter_user_ns();
}

static int visit_from_user_ns(void *arg)
{
	const struct visit *visit = arg;
	int err = enter_user_ns_as(visit);

	if (err)
		return err;
	return wrong_results(visit->id, visit->bits, visit->who);
}

static int remove_from_user_ns(void *arg)
{
	int err = enter_user_ns_as(arg);

	return err ? err : sem_rm(((struct visit *)arg)->id);
}

static int change_from_user_ns(void *arg)
{
	const struct visit *visit = arg;
	int err = enter_user_ns_as(visit);

	return err ? err : set_perm(visit->id, 0, 0, 0600);
}

/* Rule 4: capabilities in a child user namespace are none over the set. */
TEST_F(users, root_of_a_user_namespace)
{
	struct visit visit = { { OTHER, OTHER_GROUP }, .who = "root elsewhere" };

	visit.id = given_set(OWNER, GROUP, OWNER, GROUP, 0700);
	visit.bits = 0;
	EXPECT_EQ(0, run_in_child(visit_from_user_ns, &visit));
	EXPECT_EQ(-EPERM, run_in_child(remove_from_user_ns, &visit));
	EXPECT_EQ(-EPERM, run_in_child(change_from_user_ns, &visit));

	visit.user.uid = OWNER;
	visit.bits = 7;
	EXPECT_EQ(0, run_in_child(visit_from_user_ns, &visit));
	EXPECT_EQ(0, run_in_child(change_from_user_ns, &visit));
	EXPECT_EQ(0, run_in_child(remove_from_user_ns, &visit));
}

static int stat_from_user_ns(void *arg)
{
	const struct visit *visit = arg;
	int err = enter_user_ns_as(visit);
	struct semid_ds ds;

	if (!err)
		err = sem_stat(visit->id, &ds);
	if (err)
		return err;
	if (ds.sem_perm.uid != 0 || ds.sem_perm.gid != 0)
		return 1;
	return ds.sem_perm.cuid == 65534 && ds.sem_perm.cgid == 65534 ? 0 : 2;
}

/* Rule 4: ids are shown as the reader's user namespace has them. */
TEST_F(users, ids_in_a_user_namespace)
{
	struct visit visit = { { OWNER, GROUP } };

	visit.id = given_set(OTHER, OTHER_GROUP, OWNER, GROUP, 0600);
	EXPECT_EQ(0, run_in_child(stat_from_user_ns, &visit));
}

static int set_unmapped_ids(void *arg)
{
	const struct visit *visit = arg;
	int err = enter_user_ns_as(visit);

	if (err)
		return err;
	err = set_perm(visit->id, OTHER, 0, 0600);
	if (err != -EINVAL)
		return err;
	err = set_perm(visit->id, 0, OTHER_GROUP, 0600);
	if (err != -EINVAL)
		return err;
	return sem_val(visit->id, 0);
}

/* Rule 4: IPC_SET refuses ids that the caller's namespace does not have. */
TEST_F(users, unmapped_ids)
{
	struct visit visit = { { OWNER, GROUP } };
	struct semid_ds ds;

	visit.id = given_set(OWNER, GROUP, OWNER, GROUP, 0600);
	EXPECT_EQ(100, run_in_child(set_unmapped_ids, &visit));
	ASSERT_EQ(0, sem_stat(visit.id, &ds));
	EXPECT_EQ(OWNER, ds.sem_perm.uid);
	EXPECT_EQ(GROUP, ds.sem_perm.gid);
}

static int enter_both_and_create(void *arg)
{
	const struct visit *visit = arg;
	int err = enter_user_ns_as(visit);

	if (err)
		return err;
	if (unshare(CLONE_NEWIPC))
		return -errno;
	err = semget(IPC_PRIVATE, 2, 0);
	return err < 0 ? -errno : err;
}

static int join_and_use(void *arg)
{
	const struct visit *visit = arg;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/ipc", visit->bits);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWIPC))
		return -errno;
	sem_limit_caps(visit->user.caps);
	return wrong_results(visit->id, visit->user.caps ? 7 : 0, visit->who) ?:
	       sem_rm(visit->id);
}

/* Rule 4: root of an outer user namespace has its rights over the set. */
TEST_F(users, root_of_the_outer_namespace)
{
	struct visit inner = { { OTHER, OTHER_GROUP } };
	struct sleeper *creator = sleeper_fork(enter_both_and_create, &inner);
	struct visit outer = {
		.who = "root outside", .id = sleeper_result(creator),
		.bits = creator->pid,
	};

	ASSERT_LE(0, outer.id);
	outer.user.caps = 0;
	EXPECT_EQ(-EPERM, run_in_child(join_and_use, &outer));
	outer.user.caps = CAP(CAP_SYS_ADMIN) | CAP(CAP_IPC_OWNER);
	EXPECT_EQ(0, run_in_child(join_and_use, &outer));
	sleeper_end(creator);
}

TEST_HARNESS_MAIN
