/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol of ipc/sem*.c in steps: state, and what is done to it.  The
 * tasks are in task.pml.  A model says its sizes and what it is about, includes
 * task.pml, and chooses the operations in its init process.
 *
 *   NSEM     semaphores
 *   NTASK    tasks, each with one operation, or one of the roles below
 *   NSOP     sops of an operation at most
 *   LEAVE    sleepers may leave by themselves
 *   STRAY    sleepers may be woken for nothing
 *   CONTROL  SETVAL and SETALL
 *   REMOVE   IPC_RMID, RCU, the end of the set's memory
 *   UNDO     SEM_UNDO
 *   EXIT     the end of an undo group
 *   VERDICT  IPC_NOWAIT, limits, counts of sleepers
 *   COARSE   sets that are claimed for ever
 *
 * and what cannot happen in it, since no statement may be left unreached:
 *
 *   LONE_SLEEPER    who is completed never had company
 *   NOBODY_IS_LEFT  in the end no task sleeps
 *
 * One step is one access to what others may look at: a lock, the state word, a
 * result, the state of a task.  What an owner does to what is its own is one
 * step, in which it asserts that it is the owner.  Locks are taken and released
 * together with steps beside them: that hides nothing, since what they protect
 * is looked at under them only, and where a lock is not free others run.
 *
 * Variables without the prefix "spec" do what the code does; "spec" is what has
 * to come of it, and takes part in assertions only.
 */

/* The state word; its version comes round after four changes of the pid */
#define VALUE_MASK	7
#define BUSY		8
#define QUEUED		16
#define CLAIMED		32
#define FLAGS		(BUSY | QUEUED | CLAIMED)
#define VERSION_ONE	64

/* A sop: a semaphore, a change of its value (0 waits for zero), flags */
#define NONE			0
#define SEM_UNDO		32
#define IPC_NOWAIT		64
#define SOP(sem, change)	((sem) | ((change) + 3) << 2)
#define SOP_SEM(sop)		((sop) & 3)
#define SOP_CHANGE(sop)		((((sop) >> 2) & 7) - 3)

/* Verdicts and results */
#define GOES		0
#define BLOCKS		1	/* as a result: pending */
#define EINTR		2
#define EIDRM		3
#define EAGAIN		4
#define ERANGE		5

/* Where an operation is */
#define OUTSIDE		0
#define QUEUES		1
#define COMPLETED	2	/* on the list of a hand-off */
#define GONE		3	/* its task may have left the stack it lies on */

/* What a task does */
#define OPERATION	0
#define SET_VALUES	1	/* to the "changes" of its sops */
#define REMOVAL		2
#define GROUP_END	3
#define READ_ALL	4	/* with a reference to the set, not under RCU */

typedef semaphore {
	byte lock;		/* 1 + its holder */
	byte word;
	byte tgid;
	byte claims;
#ifdef VERDICT
	byte ncnt;
	byte zcnt;
#endif
	byte spec;		/* the value */
	byte spec_tgid;		/* who operated last */
};

typedef operation {
	byte role;
	byte sop[NSOP];
	byte sems;		/* a bit for each semaphore that it touches */
	byte tgid;
	bit alters;
	bit mixed;		/* it has several sops */
	byte place;
	byte result;
	byte outcome;		/* what result will be */
	bit claims;
	bit asleep;		/* state of the task */
	bit ended;
	byte ticket;
	byte spec_arrived;	/* place in the order of arrival */
#ifdef LEAVE
	bit may_leave;
#endif
#ifdef STRAY
	bit stray;		/* is woken once for nothing */
#endif
#ifdef REMOVE
	bit refers;		/* has a reference to the set */
#endif
#ifdef VERDICT
	byte blocking;
	bit no_wait;		/* its time limit is zero */
#endif
};

semaphore sem[NSEM];
operation op[NTASK];
byte claim_lock;		/* 1 + its holder */
byte clock;			/* may stand still */

#ifdef UNDO
#define NGROUP	2		/* tgid 1 and 2 */

typedef group {
	short adjust[NSEM];
	short spec[NSEM];
#ifdef EXIT
	bit linked;		/* its structure is in the list of the set */
#endif
};

group undo[NGROUP];
#define ADJUST(n, s)		undo[op[n].tgid - 1].adjust[s]
#define SPEC_ADJUST(n, s)	undo[op[n].tgid - 1].spec[s]
hidden short adjust[NSEM];
#endif

#ifdef REMOVE
bit object_lock;
bit removed;
bit withdrawn;			/* lookups do not find it any more */
byte readers;			/* bits of tasks that are in RCU */
byte grace;			/* those of them whom freeing waits for */
byte references = 1;
bit dead;			/* the last one has gone: is freed after the grace period */
bit spec_removed;		/* nothing can take effect any more */
#define SET_EXISTS		assert(!dead || grace)
#else
#define SET_EXISTS		skip
#endif

/* Used within a d_step only, and never afterwards */
hidden byte verdict, nth, at, which, other, best, chain, changed, stays, bits, last, now_blocks;
hidden short value[NSEM];

#define BIT(n)		(1 << (n))
#define VALUE(s)	(sem[s].word & VALUE_MASK)
#define TOUCHES(n, s)	(op[n].sems & BIT(s))
#define SINGLE(n)	((op[n].sems & (op[n].sems - 1)) == 0)

/* Who owns a semaphore: sem.c */
#define OWNER(s)	((sem[s].word & CLAIMED) -> claim_lock == 1 + me : sem[s].lock == 1 + me)

/* Go on to the next semaphore of operation n.  The skip is for spin, which
 * cannot end a d_step with a loop. */
inline next_sem(n)
{
	do
	:: i < NSEM && !TOUCHES(n, i) -> i++
	:: else -> break
	od;
	skip
}

inline first_sem(n)
{
	i = 0;
	next_sem(n)
}

/* Task me must be the owner of all that operation n touches */
inline assert_owner(n)
{
	at = 0;
	do
	:: at < NSEM ->
		assert(!TOUCHES(n, at) || OWNER(at));
		at++
	:: else -> break
	od
}

/* The first sop that fails decides: sem_try().  Leaves values in value[]. */
inline try(n)
{
	at = 0;
	do
	:: at < NSEM ->
		value[at] = VALUE(at);
#ifdef UNDO
		adjust[at] = ADJUST(n, at);
#endif
		at++
	:: else -> break
	od;
	verdict = GOES;
	nth = 0;
	do
	:: nth < NSOP && op[n].sop[nth] != NONE ->
		at = SOP_SEM(op[n].sop[nth]);
		if
		:: SOP_CHANGE(op[n].sop[nth]) == 0 && value[at] != 0 ||
		   value[at] + SOP_CHANGE(op[n].sop[nth]) < 0 ->
			verdict = BLOCKS;
			now_blocks = nth
#ifdef VERDICT
			;
			if
			:: op[n].sop[nth] & IPC_NOWAIT -> verdict = EAGAIN
			:: else
			fi
#endif
		:: else ->
			value[at] = value[at] + SOP_CHANGE(op[n].sop[nth])
#ifdef UNDO
			;
			if
			:: op[n].sop[nth] & SEM_UNDO ->
				adjust[at] = adjust[at] - SOP_CHANGE(op[n].sop[nth])
			:: else
			fi
#endif
#ifdef VERDICT
			;
			if
			:: value[at] > MAX_VALUE || adjust[at] > MAX_ADJUST || adjust[at] < -MAX_ADJUST ->
				verdict = ERANGE
			:: else
			fi
#endif
		fi;
		if
		:: verdict != GOES -> break
		:: else
		fi;
		nth++
	:: else -> break
	od
}

#ifdef VERDICT
#define LIMIT		MAX_VALUE
#else
#define LIMIT		VALUE_MASK
#endif

/* What the specification says: operation n takes effect now, and must be able to */
inline take_effect(n)
{
#ifdef REMOVE
	assert(!spec_removed);
#endif
	nth = 0;
	do
	:: nth < NSOP && op[n].sop[nth] != NONE ->
		at = SOP_SEM(op[n].sop[nth]);
		assert(SOP_CHANGE(op[n].sop[nth]) != 0 || sem[at].spec == 0);
		assert(sem[at].spec + SOP_CHANGE(op[n].sop[nth]) >= 0);
		sem[at].spec = sem[at].spec + SOP_CHANGE(op[n].sop[nth]);
		assert(sem[at].spec <= LIMIT);
		sem[at].spec_tgid = op[n].tgid;
#ifdef UNDO
		if
		:: op[n].sop[nth] & SEM_UNDO ->
			SPEC_ADJUST(n, at) = SPEC_ADJUST(n, at) - SOP_CHANGE(op[n].sop[nth])
#ifdef VERDICT
			;
			assert(SPEC_ADJUST(n, at) <= MAX_ADJUST && SPEC_ADJUST(n, at) >= -MAX_ADJUST)
#endif
		:: else
		fi;
#endif
		nth++
	:: else -> break
	od
}

/* Semaphore s gets value[s] and a new pid */
inline write_sem(s, pid_now)
{
	assert(OWNER(s));
	sem[s].word = (sem[s].word & ~VALUE_MASK) | value[s];
	if
	:: sem[s].tgid != pid_now ->
		sem[s].tgid = pid_now;
#ifndef BUG_PID_NOT_VERSIONED
		sem[s].word = sem[s].word + VERSION_ONE
#endif
	:: else
	fi
}

/* Those who sleep where an operation alters something are looked at */
#if defined(BUG_LOWERED_IS_NO_CHANGE)
#define CHANGES(n, s)	(VALUE(s) < value[s])
#elif defined(BUG_UNDO_IS_NO_CHANGE)
#define CHANGES(n, s)	(VALUE(s) != value[s])
#else
#define CHANGES(n, s)	(op[n].alters || op[n].role != OPERATION)
#endif

/* Carry out operation n, for which value[] and adjust[] are prepared */
inline commit(n)
{
	at = 0;
	do
	:: at < NSEM ->
		if
		:: TOUCHES(n, at) ->
			if
			:: CHANGES(n, at) -> changed = changed | BIT(at)
			:: else
			fi;
#ifdef UNDO
			ADJUST(n, at) = adjust[at];
#endif
			write_sem(at, op[n].tgid)
		:: else
		fi;
		at++
	:: else -> break
	od
}

#ifdef VERDICT
/* GETNCNT and GETZCNT: each sleeper counts where it blocks at present */
inline count(n, one)
{
	at = SOP_SEM(op[n].sop[op[n].blocking]);
	if
	:: SOP_CHANGE(op[n].sop[op[n].blocking]) -> sem[at].ncnt = sem[at].ncnt + one
	:: else -> sem[at].zcnt = sem[at].zcnt + one
	fi
}
#endif

/* Put an operation to sleep, with a ticket above all others on its semaphores */
inline enqueue(n)
{
	assert_owner(n);
	op[n].ticket = clock;
	op[n].spec_arrived = 1;
	other = 0;
	do
	:: other < NTASK ->
		if
		:: op[other].place == QUEUES ->
			if
			:: (op[other].sems & op[n].sems) && op[other].ticket >= op[n].ticket ->
#ifdef BUG_TICKET_IS_CLOCK
				skip
#else
				op[n].ticket = op[other].ticket + 1
#endif
			:: else
			fi;
			if
			:: op[other].spec_arrived >= op[n].spec_arrived ->
				op[n].spec_arrived = op[other].spec_arrived + 1
			:: else
			fi
		:: else
		fi;
		other++
	:: else -> break
	od;
#ifdef VERDICT
	op[n].blocking = now_blocks;
	count(n, 1);
#endif
	op[n].place = QUEUES
}

inline dequeue(n)
{
	assert(op[n].place == QUEUES);
	assert_owner(n);
#ifdef VERDICT
	count(n, -1);
	op[n].blocking = 0;
#endif
	op[n].ticket = 0;
	op[n].spec_arrived = 0
}

/* Those that alter nothing go first */
#ifdef BUG_ZERO_NOT_FIRST
#define RANK(n)		0
#else
#define RANK(n)		(op[n].alters -> 2 : op[n].mixed)
#endif
#define BEFORE(a, b)	(RANK(a) < RANK(b) || RANK(a) == RANK(b) && op[a].ticket < op[b].ticket)

#ifdef BUG_FAILED_SLEEPS_ON
#define ENDS(verdict)	(verdict == GOES)
#else
#define ENDS(verdict)	(verdict != BLOCKS)
#endif

#if defined(BUG_ONLY_WHERE_IT_BLOCKS)
#define LOOKED_AT(n)	(BIT(SOP_SEM(op[n].sop[op[n].blocking])) & chain)
#elif defined(BUG_ZERO_QUEUE_FORGOTTEN)
#define LOOKED_AT(n)	((op[n].sems & chain) && (op[n].alters || op[n].mixed))
#elif defined(BUG_PLAIN_QUEUE_FORGOTTEN)
#define LOOKED_AT(n)	((op[n].sems & chain) && (!op[n].alters || op[n].mixed))
#elif defined(BUG_MIXED_QUEUE_FORGOTTEN)
#define LOOKED_AT(n)	((op[n].sems & chain) && !op[n].mixed)
#else
#define LOOKED_AT(n)	(op[n].sems & chain)
#endif

/*
 * The lowest ticket over all semaphores of the chain that can end: whom
 * sem_settle_tied() takes.
 * A semaphore on which nobody can end leaves the chain until it changes again.
 */
inline pick()
{
	best = NTASK;
	stays = 0;
	other = 0;
	do
	:: other < NTASK ->
		if
		:: op[other].place == QUEUES && LOOKED_AT(other) ->
			assert_owner(other);
			try(other);
			if
			:: ENDS(verdict) ->
				stays = stays | op[other].sems;
				if
				:: best == NTASK || BEFORE(other, best) -> best = other
				:: else
				fi
#ifdef VERDICT
#ifndef BUG_COUNT_STAYS
			:: verdict == BLOCKS && now_blocks != op[other].blocking ->
				count(other, -1);
				op[other].blocking = now_blocks;
				count(other, 1)
#endif
#endif
			:: else
			fi
		:: else
		fi;
		other++
	:: else -> break
	od;
	chain = chain & stays
}

#ifndef LONE_SLEEPER
/* Nobody who came earlier to one of the semaphores of best could have ended */
inline assert_order()
{
	other = 0;
	do
	:: other < NTASK ->
		if
		:: op[other].place == QUEUES && other != best && (op[other].sems & op[best].sems) && op[best].alters ->
			try(other);
			assert(verdict == BLOCKS || op[other].alters && op[other].spec_arrived > op[best].spec_arrived)
		:: else
		fi;
		other++
	:: else -> break
	od
}
#endif

/* Leaves in bits whether somebody sleeps on semaphore s */
inline has_sleepers(s)
{
	bits = 0;
	other = 0;
	do
	:: other < NTASK ->
		if
		:: op[other].place == QUEUES -> bits = bits | op[other].sems
		:: else
		fi;
		other++
	:: else -> break
	od;
	bits = bits & BIT(s)
}

#ifdef BUG_ALL_UNTIED
#define TIED(s, own)	0
#else
#define TIED(s, own)	(sem[s].claims > own)
#endif

/* A semaphore to be settled by itself, or else all the others as one */
inline next_chain(own)
{
	chain = 0;
	which = NSEM;
	do
	:: which > 0 && chain == 0 ->
		which--;
		if
		:: (changed & BIT(which)) && !TIED(which, own) ->
			chain = BIT(which);
			changed = changed & ~chain
		:: else
		fi
	:: else -> break
	od;
	last = chain == 0;
	if
	:: last -> chain = changed
	:: else
	fi
}

/* Complete all who can end after changed: sem_hand_off() */
inline hand_off(own_claims)
{
	do
	::
		next_chain(own_claims);
		do
		::
			pick();
			if
			:: best == NTASK -> break
			:: else
			fi;
#ifndef LONE_SLEEPER
			assert_order();
#endif
			dequeue(best);
			try(best);
			op[best].outcome = verdict;
			if
			:: verdict == GOES ->
				take_effect(best);
				commit(best)
#ifdef VERDICT
			:: else
#endif
			fi;
#ifdef BUG_PUBLISHED_AT_ONCE
			op[best].result = op[best].outcome;
#endif
			op[best].place = COMPLETED;
			done = done | BIT(best);
#ifdef BUG_UNCLAIM_AT_COMPLETION
			at = 0;
			do
			:: at < NSEM ->
				if
				:: op[best].claims && TOUCHES(best, at) ->
					sem[at].claims--;
					if
					:: sem[at].claims == 0 -> sem[at].word = sem[at].word & ~CLAIMED
					:: else
					fi
				:: else
				fi;
				at++
			:: else -> break
			od;
			op[best].claims = 0;
#endif
			if
#ifdef BUG_CHAIN_DOES_NOT_GROW
			:: last -> changed = 0
#else
			:: last -> chain = chain | changed
#endif
			:: else -> changed = changed & ~chain
			fi
		od;
		if
		:: last -> break
		:: else
		fi
	od;
	changed = 0
}

/* The last touch of the word by the holder of the lock: sem_release() */
inline release(s)
{
	assert(VALUE(s) == sem[s].spec && sem[s].tgid == sem[s].spec_tgid);
	has_sleepers(s);
	sem[s].word = sem[s].word & ~FLAGS;
#ifndef BUG_NOT_QUEUED
	if
	:: bits -> sem[s].word = sem[s].word | QUEUED
	:: else
	fi
#endif
}

/* The same where nobody sleeps */
inline release_short(s)
{
	assert(VALUE(s) == sem[s].spec && sem[s].tgid == sem[s].spec_tgid);
#ifdef BUG_SHORT_STAYS_BUSY
	sem[s].word = sem[s].word & ~QUEUED
#else
	sem[s].word = sem[s].word & ~FLAGS
#endif
}

/* Claims change CLAIMED under the lock of the semaphore; here the lock is taken
 * and released in one step, for which it has to be free */
#ifdef BUG_CLAIM_WITHOUT_LOCK
#define CAN_CLAIM(s)	1
#else
#define CAN_CLAIM(s)	(sem[s].claims || sem[s].lock == 0)
#endif
#define CAN_UNCLAIM(s)	(sem[s].claims > 1 || sem[s].lock == 0)

inline claim(s)
{
	SET_EXISTS;
	assert(claim_lock == 1 + me);
	sem[s].word = sem[s].word | CLAIMED;
	sem[s].claims++
}

inline unclaim(s)
{
	SET_EXISTS;
	assert(claim_lock == 1 + me && sem[s].claims);
	sem[s].claims--;
	if
	:: sem[s].claims == 0 -> release(s)
	:: else
	fi
}

inline unlock_all()
{
	at = 0;
	do
	:: at < NSEM ->
		if
		:: sem[at].lock == 1 + me -> sem[at].lock = 0
		:: else
		fi;
		at++
	:: else -> break
	od;
	if
	:: claim_lock == 1 + me -> claim_lock = 0
	:: else
	fi
}

/*
 * Whose result is told next?  First those who have no claims: what protects
 * them from themselves, if they want to leave, is that their semaphore is
 * claimed.  Those with claims look for the claim lock in any case.
 */
#ifdef BUG_CLAIMERS_TOLD_FIRST
#define TOLD_BEFORE(a, b)	(op[a].claims && !op[b].claims)
#else
#define TOLD_BEFORE(a, b)	(!op[a].claims && op[b].claims)
#endif

inline next_done()
{
	other = 0;
	best = NTASK;
	do
	:: other < NTASK ->
		if
		:: (done & BIT(other)) && (best == NTASK || TOLD_BEFORE(other, best)) ->
			best = other
		:: else
		fi;
		other++
	:: else -> break
	od
}

/* Store the result of operation n: from now on it is its task's alone */
inline tell(n)
{
	assert(op[n].place == COMPLETED);
	op[n].place = GONE;
	op[n].result = op[n].outcome;
	done = done & ~BIT(n);
	wake = wake | BIT(n)
}

inline wake_up()
{
	other = 0;
	do
	:: other < NTASK ->
		if
		:: wake & BIT(other) -> op[other].asleep = 0
		:: else
		fi;
		other++
	:: else -> break
	od;
	wake = 0
}

#ifdef REMOVE
inline rcu_lock()
{
	readers = readers | BIT(me)
}

inline rcu_unlock()
{
	readers = readers & ~BIT(me);
	grace = grace & ~BIT(me)
}

inline put_set()
{
	references--;
	if
	:: references == 0 ->
		dead = 1;
#ifndef BUG_NO_GRACE_PERIOD
		grace = readers
#endif
	:: else
	fi
}
#endif
