# SPDX-License-Identifier: GPL-2.0
"""Mutations of ipc/ and the tests that must notice each.

Every mutation is compiled into one kernel and sleeps until its number is
written to the parameter sem_mutant: where an edit says MUTANT, the expression
is true while this mutation is awake. An edit replaces a text that occurs
exactly once in its file. A test is a command line in the folder of the
selftests; "-r fixture.variant.test" names one test.

A mutation that may leave the kernel unfit for further tests is "last": it
gets a guest of its own.
"""


def mutation(name, rules, what, edits, tests, last=False):
    return {"name": name, "rules": rules, "what": what, "edits": edits,
            "tests": tests, "last": last}


CTL, OP, QUEUE = "ipc/sem_ctl.c", "ipc/sem_op.c", "ipc/sem_queue.c"
SHORT, UNDO, SET = "ipc/sem_short.c", "ipc/sem_undo.c", "ipc/sem.c"
LOCK, UTIL = "ipc/sem_lock.c", "ipc/util.c"

MUTATIONS = [
    # Order of checks
    mutation(
        "efbig-after-access", [1], "permissions are checked before sem_num",
        [(OP, "	if (last >= sma->nsems)\n",
          "	if (last >= sma->nsems && !MUTANT)\n"),
         (OP, "		return -EACCES;\n	return security_sem_semop(",
          "		return -EACCES;\n	if (last >= sma->nsems)\n"
          "		return -EFBIG;\n	return security_sem_semop(")],
        ["sem_checks -t semtimedop_order"]),
    mutation(
        "no-efbig", [1], "sem_num is not compared with the number of semaphores",
        [(OP, "		alter |= sops[i].sem_op;\n	}\n",
          "		alter |= sops[i].sem_op;\n	}\n"
          "	if (MUTANT)\n		last = 0;\n")],
        ["sem_checks -t sem_num_limit"]),
    mutation(
        "e2big-is-einval", [1, 30], "too many sops are EINVAL",
        [(OP, "		trace_sem_limit(\"SEMOPM\", nsops, limit);\n		return -E2BIG;",
          "		trace_sem_limit(\"SEMOPM\", nsops, limit);\n"
          "		return MUTANT ? -EINVAL : -E2BIG;")],
        ["sem_checks -t semopm_limit", "sem_ns -t lowered_opm"]),
    mutation(
        "larger-set-found", [2], "a key finds a set that is too small",
        [(SET, "return params->u.nsems > sem_of_perm(perm)->nsems ?",
          "return params->u.nsems > sem_of_perm(perm)->nsems && !MUTANT ?")],
        ["sem_checks -t semget_order", "ipc_key -r key.sem.order_of_errors"]),
    mutation(
        "eexist-after-access", [2], "EACCES comes before EEXIST",
        [(UTIL, "	if ((params->flg & exclusive) == exclusive)\n",
          "	if (MUTANT && ipcperms(ns, perm, params->flg))\n"
          "		err = -EACCES;\n"
          "	else if ((params->flg & exclusive) == exclusive)\n")],
        ["ipc_key -t order_of_errors"]),
    mutation(
        "key-taken-twice", [2], "two who create one key at a time both do",
        [(UTIL, "	return key != IPC_PRIVATE &&\n",
          "	return key != IPC_PRIVATE && !MUTANT &&\n")],
        ["ipc_key -r key.sem.exclusive_creators"]),
    mutation(
        "setval-any-value", [3, 7], "SETVAL takes values over SEMVMX",
        [(CTL, "	if (value < 0 || value > SEMVMX)\n",
          "	if (value < 0 || (value > SEMVMX && !MUTANT))\n")],
        ["sem_checks -t setval_order", "sem_limits -t semvmx"]),
    mutation(
        "setall-any-value", [3], "SETALL takes values over SEMVMX",
        [(CTL, "		if (values[i] > SEMVMX)\n",
          "		if (values[i] > SEMVMX && !MUTANT)\n")],
        ["sem_checks -t setall_bad_value"]),
    mutation(
        "stat-any-asks", [3], "SEM_STAT_ANY needs the right to read",
        [(CTL, "	if (cmd == SEM_STAT_ANY)\n		audit_ipc_obj(perm);",
          "	if (cmd == SEM_STAT_ANY && !MUTANT)\n		audit_ipc_obj(perm);")],
        ["sem_checks -t sem_stat_any", "sem_proc -t stat_any_needs_no_right"]),
    mutation(
        "index-after-last", [3], "the info commands return the number of sets",
        [(CTL, "	return max(ipc_get_maxidx(ids), 0);",
          "	return MUTANT ? ids->in_use : max(ipc_get_maxidx(ids), 0);")],
        ["sem_proc -t highest_index",
         "sem_checks -t info_returns_highest_index"]),
    # Permissions
    mutation(
        "reader-posts", [4], "the right to read is enough to change values",
        [(OP, "	if (ipcperms(ns, &sma->sem_perm, alter ? 0222 : 0444))",
          "	if (ipcperms(ns, &sma->sem_perm,\n"
          "		     alter && !MUTANT ? 0222 : 0444))")],
        ["sem_perm -t mode_bits"]),
    mutation(
        "creator-forgotten", [4], "the creator has no more rights than others",
        [(UTIL, "	if (uid_eq(me, perm->cuid) ||\n",
          "	if ((uid_eq(me, perm->cuid) && !MUTANT) ||\n"),
         (UTIL, "	    uid_eq(current_euid(), perm->cuid))\n",
          "	    uid_eq(current_euid(), perm->cuid) && !MUTANT)\n")],
        ["sem_perm -t creator", "ipc_objects -t creator_counts_as_owner"]),
    mutation(
        "anybody-removes", [4], "everybody may remove and set",
        [(UTIL, "		return ERR_PTR(-EPERM);\n	return obj;",
          "		return MUTANT ? obj : ERR_PTR(-EPERM);\n	return obj;")],
        ["sem_perm -t set_and_remove", "ipc_objects -t right_to_set_and_remove",
         "sem_ns -t root_of_an_inner_user_namespace"]),
    mutation(
        "mode-unmasked", [4], "IPC_SET sets all bits of the mode",
        [(UTIL, "			      (in->mode & 0777));",
          "			      (in->mode & (MUTANT ? 07777 : 0777)));")],
        ["sem_perm -t mode_is_masked", "ipc_objects -t set"]),
    mutation(
        "native-ipc64", [5], "the native call accepts the IPC_64 bit",
        [(CTL, "	return sem_ctl_native(semid, semnum, cmd, arg, IPC_64);",
          "	return sem_ctl_native(semid, semnum, MUTANT ? cmd & ~IPC_64 : cmd,\n"
          "			   arg, IPC_64);")],
        ["sem_checks -t ipc_64_bit"]),
    # Atomicity, order, waking
    mutation(
        "no-rollback", [6, 7], "what came before the sop that fails stays done",
        [(QUEUE, "			if (sop->sem_flg & IPC_NOWAIT)\n"
          "				return -EAGAIN;",
          "			if (MUTANT)\n				for (slot = op->slots;\n"
          "				     slot < op->slots + op->nslots; slot++)\n"
          "					sem_set_value(slot->sem, slot->value);\n"
          "			if (sop->sem_flg & IPC_NOWAIT)\n"
          "				return -EAGAIN;")],
        ["sem_order -r order.rollback_over_semaphores.script",
         "sem_order -r order.second_take_fails.script",
         "sem_model",
         "stress_mutex -n 30"]),
    mutation(
        "first-sop-counts", [6], "of sops on one semaphore only the first counts",
        [(QUEUE, "		slot->value = value;\n",
          "		if (!MUTANT || slot->value == sem_value(slot->sem))\n"
          "			slot->value = value;\n")],
        ["sem_order -r order.same_number_many_times.script",
         "sem_order -r order.running_values.script"]),
    mutation(
        "no-semvmx", [7], "operations take values over SEMVMX",
        [(QUEUE, "		if (value > SEMVMX)\n",
          "		if (value > SEMVMX && (!MUTANT || value > 65535))\n")],
        ["sem_order -r order.over_the_maximum.script",
         "sem_limits -t semvmx"]),
    mutation(
        "no-semaem", [7, 19], "adjustments may leave their 16 bits",
        [(QUEUE, "if (slot->adj > SEMAEM || slot->adj < -SEMAEM - 1)",
          "if ((slot->adj > SEMAEM || slot->adj < -SEMAEM - 1) && !MUTANT)")],
        ["sem_order -r order.undo_beyond_its_range.script"]),
    mutation(
        "sleepers-do-not-fail", [8], "a sleeper never ends in ERANGE or EAGAIN",
        [(QUEUE, "	if (sem_try(op) != SEM_PENDING)\n		return true;\n",
          "	int verdict = sem_try(op);\n\n"
          "	if (MUTANT && verdict < 0)\n		return false;\n"
          "	if (verdict != SEM_PENDING)\n		return true;\n")],
        ["sem_order -r order.sleeper_ends_in_erange.script",
         "sem_order -r order.sleeper_ends_in_eagain.script",
         "stress_mixed -n 30 -w 20"]),
    mutation(
        "zero-in-turn", [9], "waits for zero have no precedence",
        [(QUEUE, "	u64 rank = op->alter ?", "	u64 rank = MUTANT || op->alter ?")],
        ["sem_order -r order.zero_waiter_before_altering.script"]),
    mutation(
        "any-plain", [10], "not the first sleeper that can go",
        [(QUEUE, "		if (left && value + left->lightest >= 0)",
          "		if (MUTANT && value + slot_sem_op(slot) >= 0)\n"
          "			return slot->op;\n"
          "		if (left && value + left->lightest >= 0)"),
         (QUEUE, "	if (RB_EMPTY_ROOT(&sem->mixed) && sem_first_plain",
          "	if (!MUTANT && RB_EMPTY_ROOT(&sem->mixed) && sem_first_plain")],
        ["sem_order -r order.arrival.script",
         "sem_order -t crowd_in_arrival_order",
         "stress_order -n 20",
         "sem_model"]),
    mutation(
        "mixed-first", [10], "longer operations pass older short ones",
        [(QUEUE, "		if (best && op->ticket > best->ticket)\n			break;",
          "		if (best && op->ticket > best->ticket && !MUTANT)\n			break;")],
        ["sem_order -r order.single_before_multi.script",
         "sem_order -r order.mixed_arrival.script",
         "stress_order -n 20"]),
    mutation(
        "one-after-the-other", [10], "one semaphore is settled after the other",
        [(QUEUE, "	return rb_entry(a, struct sem_op, candidate)->ticket <",
          "	return !MUTANT &&\n"
          "	       rb_entry(a, struct sem_op, candidate)->ticket <")],
        ["sem_order -r order.setall_serves.script",
         "stress_order -n 40"]),
    mutation(
        "new-ones-wait", [10], "a call that could go waits behind sleepers",
        [(OP, "	result = sem_try(op);\n	if (result != SEM_PENDING || !may_sleep",
          "	result = sem_try(op);\n"
          "	if (MUTANT && !result && op->nsops == 1 && op->sops->sem_op < 0 &&\n"
          "	    op->slots->sem->ncnt) {\n		op->blocking = 0;\n"
          "		result = SEM_PENDING;\n	}\n"
          "	if (result != SEM_PENDING || !may_sleep")],
        ["sem_order -r order.barging.script"]),
    mutation(
        "no-chain", [11], "a completed operation lets nobody else go",
        [(QUEUE, "		if (op->alter)\n			sem_changed(sem, h);",
          "		if (op->alter && (!MUTANT || op->task == current))\n"
          "			sem_changed(sem, h);"),
         (QUEUE, "		sem_complete(op, sem_try(op), h);\n	sem->next = NULL;",
          "		if (sem_complete(op, sem_try(op), h), MUTANT)\n"
          "			break;\n	sem->next = NULL;"),
         (QUEUE, "		for (slot = op->slots; slot < op->slots + op->nslots; slot++)\n"
          "			sem_changed(slot->sem, h);",
          "		for (slot = op->slots; slot < op->slots + op->nslots; slot++)\n"
          "			if (!MUTANT)\n"
          "				sem_changed(slot->sem, h);")],
        ["sem_order -r order.chain.script",
         "sem_order -t long_chain"]),
    mutation(
        "lost-wake-up", [11], "the lock-free path does not see sleepers",
        [(SHORT, "	if (word & SEM_FLAGS)\n",
          "	if (word & (MUTANT ? SEM_FLAGS & ~SEM_QUEUED : SEM_FLAGS))\n")],
        ["sem_basic -t post_that_changes_the_value_alone"]),
    mutation(
        "short-way-past-sleepers", [11], "one lock is enough though somebody sleeps",
        [(SHORT, "	const u64 not_ours = SEM_CLAIMED | SEM_QUEUED;",
          "	const u64 not_ours = MUTANT ? SEM_CLAIMED : SEM_CLAIMED | SEM_QUEUED;")],
        ["sem_basic -t threads", "stress_mutex -n 300 -w 20"]),
    mutation(
        "half-taken", [6], "a short multi operation goes as far as it can",
        [(SHORT, "	for (taken = steps; taken < step; taken++)\n"
          "		sem_put_back(taken->sem);",
          "	if (MUTANT)\n		for (; step > steps; step--)\n"
          "			sem_give(step - 1, task_tgid(current));\n"
          "	for (taken = steps; taken < step; taken++)\n"
          "		sem_put_back(taken->sem);")],
        ["sem_order -r order.rollback_over_semaphores.script",
         "stress_mutex -n 30 -w 20"]),
    mutation(
        "never-wait", [7], "a wait for a value is EAGAIN without IPC_NOWAIT",
        [(SHORT, "		return sop->sem_flg & IPC_NOWAIT && sop->sem_op <= 0 ?",
          "		return (MUTANT || sop->sem_flg & IPC_NOWAIT) &&\n"
          "		       sop->sem_op <= 0 ?")],
        ["sem_basic -t threads"]),
    mutation(
        "no-second-look", [6, 11], "what came before the claims is not seen",
        [(OP, "	result = sem_own_claim(op);\n	return result ?: sem_try(op);",
          "	result = sem_own_claim(op);\n"
          "	if (MUTANT && !result)\n		return SEM_PENDING;\n"
          "	return result ?: sem_try(op);")],
        ["sem_wait -r kind.take_both.post_against_sleep"]),
    mutation(
        "torn-getall", [6], "GETALL reads without owning",
        [(CTL, "		/* One moment for all values: no operation is half done */\n"
          "		sem_claim_all(sma);\n",
          "		bool torn = MUTANT;\n\n"
          "		if (!torn)\n			sem_claim_all(sma);\n"),
         (CTL, "			values[i] = sem_value(&sma->sems[i]);\n"
          "		sem_unclaim_all(sma);",
          "			values[i] = sem_value(&sma->sems[i]);\n"
          "		if (!torn)\n			sem_unclaim_all(sma);")],
        ["stress_mutex -n 2000"]),
    mutation(
        "all-count-as-takers", [12], "GETZCNT counts nobody",
        [(QUEUE, "	if (op->sops[op->blocking].sem_op)\n		sem->ncnt += one;",
          "	if (op->sops[op->blocking].sem_op || MUTANT)\n		sem->ncnt += one;")],
        ["sem_counts -r counts.zero_waiters.script",
         "sem_counts -r counts.altering_at_zero_test.script"]),
    mutation(
        "count-stays", [12], "a sleeper counts where it blocked first",
        [(QUEUE, "	if (blocks != blocked) {",
          "	if (MUTANT)\n		op->blocking = blocked;\n"
          "	else if (blocks != blocked) {")],
        ["sem_counts -r counts.moves_forward_and_back.script"]),
    # Timeouts and signals
    mutation(
        "half-the-time", [13], "a timeout comes early",
        [(OP, "	call->expires = ktime_add_safe(ktime_get(), span);",
          "	call->expires = ktime_add_safe(ktime_get(), MUTANT ? span / 2 : span);")],
        ["sem_wait -t timeout_is_never_early"]),
    mutation(
        "timeout-overflows", [13], "the longest timeouts overflow",
        [(OP, "	span = timespec64_to_ktime(*timeout);\n",
          "	span = timespec64_to_ktime(*timeout);\n"
          "	if (MUTANT && span == KTIME_MAX)\n		span = 0;\n")],
        ["sem_wait -t longest_timeouts"]),
    mutation(
        "signal-wins", [13], "a signal wins against completion",
        [(OP, "	if (result == SEM_PENDING)\n		result = sem_cancel(op, timed_out",
          "	if (MUTANT && !result && signal_pending(current))\n"
          "		result = -EINTR;\n"
          "	if (result == SEM_PENDING)\n		result = sem_cancel(op, timed_out")],
        ["sem_wait -t completion_beats_signal_and_removal",
         "sem_order -t signal_after_hand_off"]),
    mutation(
        "timeout-wins", [13], "a timeout wins against completion",
        [(OP, "	__set_current_state(TASK_RUNNING);\n",
          "	__set_current_state(TASK_RUNNING);\n"
          "	if (MUTANT && !result && timed_out)\n		return -EAGAIN;\n")],
        ["sem_wait -t completion_beats_timeout", "stress_posts"]),
    mutation(
        "eintr-without-signal", [14], "a timeout that meets IPC_RMID is EINTR",
        [(OP, "	if (result == -EAGAIN && timed_out)\n",
          "	if (MUTANT && result == -EIDRM && timed_out)\n"
          "		result = -EINTR;\n"
          "	if (result == -EAGAIN && timed_out)\n")],
        ["sem_wait -t timeout_against_removal", "stress_timed_rmid"]),
    # Attributes
    mutation(
        "wakers-pid", [15], "a sleeper's operation gets its waker's pid",
        [(QUEUE, "		sem_set_pid(sem, op->pid);",
          "		sem_set_pid(sem, MUTANT ? task_tgid(current) : op->pid);")],
        ["sem_attr -t pid_of_sleeper", "sem_order -t hand_off_before_the_sleeper_runs"]),
    mutation(
        "pid-stays", [15], "the lock-free path does not look at the pid",
        [(SHORT, "	if (READ_ONCE(sem->pid) != task_tgid(current))",
          "	if (READ_ONCE(sem->pid) != task_tgid(current) && !MUTANT)")],
        ["sem_attr -t pid_of_operations"]),
    mutation(
        "setval-no-pid", [15], "SETVAL and SETALL leave the pid",
        [(CTL, "	sem_set_pid(sem, task_tgid(current));\n	sem_changed(sem, h);",
          "	if (!MUTANT)\n		sem_set_pid(sem, task_tgid(current));\n"
          "	sem_changed(sem, h);")],
        ["sem_attr -t pid_of_setting"]),
    mutation(
        "undo-no-pid", [15], "undo at exit leaves the pid",
        [(UNDO, "		sem_set_pid(sem, pid);",
          "		if (!MUTANT)\n			sem_set_pid(sem, pid);")],
        ["sem_attr -t pid_of_undo"]),
    mutation(
        "global-pid", [15], "GETPID ignores the reader's pid namespace",
        [(CTL, "		result = pid_vnr(sem->pid);",
          "		result = MUTANT ? pid_nr(sem->pid) : pid_vnr(sem->pid);")],
        ["sem_attr -t pid_in_namespaces"]),
    mutation(
        "setval-otime", [16], "SETVAL always counts as an operation",
        [(CTL, "	if (h->granted)\n", "	if (h->granted || MUTANT)\n")],
        ["sem_attr -t otime_of_setting"]),
    mutation(
        "undo-no-otime", [16], "undo at exit does not count as an operation",
        [(UNDO, "	sem_touch_otime(undo->sma);",
          "	if (!MUTANT)\n		sem_touch_otime(undo->sma);")],
        ["sem_attr -t otime_of_undo"]),
    mutation(
        "setval-no-ctime", [16], "SETVAL and SETALL leave sem_ctime",
        [(CTL, "	sem_touch_ctime(sma);\n	sem_hand_off(h, 1);",
          "	if (!MUTANT)\n		sem_touch_ctime(sma);\n	sem_hand_off(h, 1);")],
        ["sem_attr -t ctime_of_changes"]),
    mutation(
        "stat-leaks", [17], "bytes of the status are left as they were",
        [(CTL, "	memset(out, 0, sizeof(*out));",
          "	memset(out, MUTANT ? 0x5a : 0, sizeof(*out));")],
        ["sem_attr -t status_has_no_foreign_bytes"]),
    mutation(
        "compat-leaks", [17, 28], "the same for 32-bit programs",
        [(CTL, "		memset(&new, 0, sizeof(new));",
          "		memset(&new, MUTANT ? 0x5a : 0, sizeof(new));"),
         (CTL, "	memset(&old, 0, sizeof(old));\n	to_compat_ipc_perm(",
          "	memset(&old, MUTANT ? 0x5a : 0, sizeof(old));\n	to_compat_ipc_perm(")],
        ["sem_compat -t new_status", "sem_compat -t old_status"]),
    # Undo
    mutation(
        "threads-do-not-share", [18], "CLONE_SYSVSEM has no effect",
        [(UNDO, "	if (clone_flags & CLONE_SYSVSEM) {",
          "	if ((clone_flags & CLONE_SYSVSEM) && !MUTANT) {")],
        ["sem_undo -t thread_exit", "sem_undo -t clone_shares",
         "sem_ns -t processes_share_adjustments",
         "sem_ns -t unshare_of_one_thread"]),
    mutation(
        "children-share", [18], "a forked child shares the adjustments",
        [(UNDO, "		refcount_inc(&group->refs);\n	}\n",
          "		refcount_inc(&group->refs);\n"
          "	} else if (MUTANT && current->sysvsem.undo_list) {\n"
          "		group = current->sysvsem.undo_list;\n"
          "		refcount_inc(&group->refs);\n	}\n")],
        ["sem_undo -t fork_starts_with_none"]),
    mutation(
        "fork-leaks", [18], "a failed fork keeps its reference",
        [(UNDO, "	tsk->sysvsem.undo_list = NULL;\n",
          "	tsk->sysvsem.undo_list = NULL;\n"
          "	if (MUTANT && tsk != current)\n		return;\n")],
        ["sem_undo -t failed_fork",
         "sem_ns -t failed_clone_gives_its_reference_back",
         "sem_ns -t failed_first_clone"]),
    mutation(
        "undo-clamps-to-one", [19], "undo never makes a value 0",
        [(UNDO, "clamp(sem_value(sem) + adjust->adj, 0, SEMVMX)",
          "clamp(sem_value(sem) + adjust->adj,\n"
          "				       MUTANT ? 1 : 0, SEMVMX)")],
        ["sem_undo -r undo_script.clamped_at_zero.script"]),
    mutation(
        "undo-loses", [18, 24], "undo leaves one unit of what is owed",
        [(UNDO, "clamp(sem_value(sem) + adjust->adj,",
          "clamp(sem_value(sem) + adjust->adj - (MUTANT && adjust->adj > 1) +\n"
          "		      (MUTANT && adjust->adj < -1),")],
        ["stress_undo_threads -n 5", "stress_undo_rmid -n 10", "stress_ns -n 5",
         "sem_rmid -t fresh_undo_on_a_new_set"]),
    mutation(
        "undo-wakes-nobody", [19], "undo at exit lets nobody go",
        [(UNDO, "		sem_changed(sem, h);",
          "		if (!MUTANT)\n			sem_changed(sem, h);")],
        ["sem_undo -t unshare_wakes", "sem_ns -t unshare_sysvsem_wakes",
         "stress_waiter_exit -n 30 -w 20"]),
    mutation(
        "setval-keeps-undo", [19], "SETVAL leaves the adjustments",
        [(UNDO, "		if (adjust)\n			adjust->adj = 0;",
          "		if (adjust && !MUTANT)\n			adjust->adj = 0;")],
        ["sem_undo -t setval_clears_own",
         "sem_undo -r undo_script.setval_clears.script"]),
    mutation(
        "setall-keeps-undo", [19], "SETALL leaves the adjustments",
        [(UNDO, "		xa_for_each(&undo->adjusts, num, adjust)\n			adjust->adj = 0;",
          "		xa_for_each(&undo->adjusts, num, adjust)\n"
          "			adjust->adj = MUTANT ? adjust->adj : 0;")],
        ["sem_undo -r undo_script.setall_clears.script"]),
    mutation(
        "old-undo-on-new-set", [20], "adjustments survive the set",
        [(UNDO, "	return undo && undo->sma == sma ? undo : NULL;",
          "	if (MUTANT && !undo && sem_mutant_undo)\n"
          "		atomic64_add(1, &sma->sems->state);\n"
          "	return undo && undo->sma == sma ? undo : NULL;"),
         (UNDO, "	list_for_each_entry_safe(undo, next, &sma->undos, link) {",
          "	sem_mutant_undo = !list_empty(&sma->undos);\n"
          "	list_for_each_entry_safe(undo, next, &sma->undos, link) {"),
         (UNDO, "static struct sem_undo_list *sem_undo_group(void)\n",
          "static bool sem_mutant_undo;\n\n"
          "static struct sem_undo_list *sem_undo_group(void)\n")],
        ["sem_rmid -t fresh_undo_on_a_new_set"]),
    # Removal and identity
    mutation(
        "removal-einval", [22], "removal ends sleepers with EINVAL",
        [(SET, "		sem_end_sleepers(&sma->sems[i], -EIDRM, &h);",
          "		sem_end_sleepers(&sma->sems[i],\n"
          "				 MUTANT ? -EINVAL : -EIDRM, &h);")],
        ["sem_rmid -t wakes_every_kind_of_sleeper",
         "sem_rmid -t old_sleeper_and_a_new_set"]),
    mutation(
        "quota-lost", [22], "removal does not give semaphores back",
        [(SET, "	WRITE_ONCE(ns->used_sems, ns->used_sems - sma->nsems);",
          "	if (!MUTANT)\n"
          "		WRITE_ONCE(ns->used_sems, ns->used_sems - sma->nsems);")],
        ["sem_rmid -t quota_is_free_at_return",
         "sem_limits -t quota_free_after_removal",
         "stress_undo_rmid -n 5"]),
    mutation(
        "set-lost", [22], "removal does not give the place of the set back",
        [(UTIL, "	WARN_ON_ONCE(found != perm);\n	ids->in_use--;",
          "	WARN_ON_ONCE(found != perm);\n"
          "	if (!MUTANT)\n		ids->in_use--;")],
        ["ipc_objects -t limit_has_room_after_removal",
         "sem_rmid -t quota_does_not_wait_for_undo"]),
    mutation(
        "same-id-again", [23], "the sequence number stands still",
        [(UTIL, "	if (idx <= ids->last_idx && ++ids->seq >= ipcid_seq_max())",
          "	if (idx <= ids->last_idx && !MUTANT && ++ids->seq >= ipcid_seq_max())")],
        ["sem_rmid -t ids_are_unique"]),
    mutation(
        "next-id-stays", [23], "a forced id is forced again and again",
        [(UTIL, "	WRITE_ONCE(ids->next_id, -1);",
          "	if (!MUTANT)\n		WRITE_ONCE(ids->next_id, -1);")],
        ["ipc_key -t next_id"]),
    mutation(
        "visible-too-early", [23], "a set is visible before its mode is set",
        [(SET, "	sma->sem_perm.mode = params->flg & 0777;",
          "	sma->sem_perm.mode = MUTANT ? 0 : params->flg & 0777;"),
         (SET, "	id = sem_publish_set(ns, sma);\n",
          "	id = sem_publish_set(ns, sma);\n"
          "	if (MUTANT && id >= 0)\n"
          "		sma->sem_perm.mode = params->flg & 0777;\n")],
        ["sem_rmid -t visible_only_when_complete", "stress_lookup"]),
    mutation(
        "undo-linked-for-ever", [24], "removal leaves undo structures linked",
        [(SET, "	sem_undo_unlink_set(sma, &undos);",
          "	if (!MUTANT)\n		sem_undo_unlink_set(sma, &undos);")],
        ["sem_rmid -t exits_against_removal"], last=True),
    # Accounting, namespaces, listing
    mutation(
        "sets-uncharged", [25], "sets are not charged",
        [(SET, "NULL : kvzalloc(size, GFP_KERNEL_ACCOUNT);",
          "NULL :\n		kvzalloc(size, MUTANT ? GFP_KERNEL : GFP_KERNEL_ACCOUNT);")],
        ["sem_memcg -t sets_are_charged"]),
    mutation(
        "undo-uncharged", [25], "adjustments are not charged",
        [(UNDO, "	adjust = kzalloc(sizeof(*adjust), GFP_KERNEL_ACCOUNT);",
          "	adjust = kzalloc(sizeof(*adjust),\n"
          "			 MUTANT ? GFP_KERNEL : GFP_KERNEL_ACCOUNT);")],
        ["sem_memcg -t undo_is_charged"]),
    mutation(
        "sops-charged", [25], "the copies of sops are charged",
        [(OP, "sizeof(*sops), GFP_KERNEL | __GFP_NOWARN);",
          "sizeof(*sops),\n"
          "			      (MUTANT ? GFP_KERNEL_ACCOUNT : GFP_KERNEL) |\n"
          "			      __GFP_NOWARN);")],
        ["sem_memcg -t sleeping_calls_are_not_charged"]),
    mutation(
        "other-defaults", [25], "a new namespace has another limit",
        [(SET, "	ns->sem_ctls[SEM_LIMIT_SOPS] = SEMOPM;",
          "	ns->sem_ctls[SEM_LIMIT_SOPS] = MUTANT ? 100 : SEMOPM;")],
        ["sem_ns -t new_one_has_the_defaults", "sem_limits -t defaults"]),
    mutation(
        "listed-twice", [27], "a set after a gap is listed twice",
        [(UTIL, "			*pos = idx + 1;", "			if (!MUTANT)\n				*pos = idx + 1;")],
        ["sem_proc -t changes_while_reading", "ipc_objects -t list"]),
    mutation(
        "readers-namespace", [27], "the list is of the reader's namespace",
        [(UTIL, "	struct ipc_ids *ids = &iter->ns->ids[iter->iface->ids];",
          "	struct ipc_namespace *ns = MUTANT ? current->nsproxy->ipc_ns : iter->ns;\n"
          "	struct ipc_ids *ids = &ns->ids[iter->iface->ids];")],
        ["sem_proc -t ipc_namespace_of_the_opener"]),
    mutation(
        "global-uid", [27], "owners are listed as the machine knows them",
        [(CTL, "	struct user_namespace *user_ns = seq_user_ns(seq);",
          "	struct user_namespace *user_ns = MUTANT ? &init_user_ns :\n"
          "					 seq_user_ns(seq);")],
        ["sem_proc -t user_namespace_of_the_opener"]),
]
