/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A task: one operation by the four ways, first the short ones and then the long
 * one (sem_short.c, sem_op.c, sem_lock.c), asleep, and out again; or one of the
 * other roles, which go the way of the claim lock.
 */

#include "protocol.pml"

/* Can a sop go at once, with semaphore s as it is?  sem_sop_goes() */
#ifdef BUG_SHORT_WITHOUT_LIMIT
#define WITHIN(v)		((v) >= 0)
#else
#define WITHIN(v)		((v) >= 0 && (v) <= LIMIT)
#endif
#define SOP_GOES(sop, s)	(SOP_CHANGE(sop) -> WITHIN(VALUE(s) + SOP_CHANGE(sop)) : VALUE(s) == 0)

/* What shuts the lock-free way */
#if defined(BUG_LOCKLESS_PAST_BUSY)
#define SHUT			(QUEUED | CLAIMED)
#elif defined(BUG_LOCKLESS_PAST_QUEUED)
#define SHUT			(BUSY | CLAIMED)
#elif defined(BUG_LOCKLESS_PAST_CLAIMED)
#define SHUT			(BUSY | QUEUED)
#else
#define SHUT			(BUSY | QUEUED | CLAIMED)
#endif

/* Where the short ways under locks give up */
#if defined(BUG_SHORT_PAST_CLAIMED)
#define NOT_OURS		QUEUED
#elif defined(BUG_SHORT_PAST_QUEUED)
#define NOT_OURS		CLAIMED
#else
#define NOT_OURS		(QUEUED | CLAIMED)
#endif

/* What they are for: each semaphore once, in ascending order */
#if NSOP > 1
#define OUT_OF_ORDER(sops, k)	((k) > 0 && SOP_SEM(sops[k]) <= SOP_SEM(sops[(k) - 1]))
#else
#define OUT_OF_ORDER(sops, k)	false
#endif

/* Adjustments that would leave their limits are left to the long way */
#ifdef VERDICT
#define UNDO_GOES(n, sop)	(!((sop) & SEM_UNDO) || \
				 ADJUST(n, SOP_SEM(sop)) - SOP_CHANGE(sop) <= MAX_ADJUST && \
				 ADJUST(n, SOP_SEM(sop)) - SOP_CHANGE(sop) >= -MAX_ADJUST)
#else
#define UNDO_GOES(n, sop)	true
#endif

#ifdef UNDO
#define NOT_LOCKLESS(n)		(op[n].mixed || (op[n].sop[0] & SEM_UNDO))
#else
#define NOT_LOCKLESS(n)		op[n].mixed
#endif

#ifdef VERDICT
#ifdef BUG_NO_WAIT_SLEEPS
#define MAY_SLEEP(n)		(!op[n].no_wait || op[n].claims)
#else
#define MAY_SLEEP(n)		(!op[n].no_wait)
#endif
#else
#define MAY_SLEEP(n)		true
#endif

/* A lookup; the end of a group looks for its structure instead */
#ifdef EXIT
#define NOT_THERE(n)		(op[n].role == GROUP_END -> !undo[op[n].tgid - 1].linked : withdrawn)
#else
#define NOT_THERE(n)		withdrawn
#endif

#ifdef BUG_REMOVED_NOT_CHECKED
#define REMOVED		false
#else
#define REMOVED		removed
#endif

/* Claims end with the operation; those of IPC_RMID never */
#if defined(BUG_SLEEPER_UNCLAIMS)
#define CLAIMS_END(n)		true
#elif defined(REMOVE) && !defined(BUG_REMOVAL_UNCLAIMS)
#define CLAIMS_END(n)		(op[n].place == OUTSIDE && op[n].role != REMOVAL)
#else
#define CLAIMS_END(n)		(op[n].place == OUTSIDE)
#endif

/* Values are decided in one step and written in another */
inline keep_values()
{
	kept = 0;
	at = NSEM;
	do
	:: at > 0 -> at--; kept = kept << 3 | value[at]
	:: else -> break
	od
}

inline kept_values()
{
	at = 0;
	do
	:: at < NSEM -> value[at] = kept >> (3 * at) & 7; at++
	:: else -> break
	od;
	kept = 0
}

#ifdef CONTROL
inline set_values()
{
	nth = 0;
	do
	:: nth < NSOP && op[me].sop[nth] != NONE ->
		at = SOP_SEM(op[me].sop[nth]);
		value[at] = SOP_CHANGE(op[me].sop[nth]);
		sem[at].spec = value[at];
		sem[at].spec_tgid = op[me].tgid;
#ifdef UNDO
		undo[0].spec[at] = 0;
		undo[1].spec[at] = 0;
#endif
		nth++
	:: else -> break
	od
}
#endif

#ifdef EXIT
/* SETVAL, SETALL: everybody's adjustments are forgotten, if they are in the list */
inline forget_adjustments()
{
	at = 0;
	do
	:: at < NSEM ->
		if
		:: TOUCHES(me, at) ->
			assert(OWNER(at));
#ifndef BUG_SETVAL_FORGETS_NOTHING
			undo[0].adjust[at] = (undo[0].linked -> 0 : undo[0].adjust[at]);
			undo[1].adjust[at] = 0
#endif
		:: else
		fi;
		at++
	:: else -> break
	od
}
#endif

#ifdef EXIT
#ifdef BUG_DEBTS_FOUND_EARLY
#define OWED(s)		(early >> (3 * (s)) & 7) - 3
#else
#define OWED(s)		ADJUST(me, s)
#endif
#define CLAMPED(v)	((v) < 0 -> 0 : ((v) > MAX_VALUE -> MAX_VALUE : (v)))

/* The end of a group gives back what is owed, and stops at the limits */
inline give_back()
{
	at = 0;
	do
	:: at < NSEM ->
		if
		:: TOUCHES(me, at) -> value[at] = CLAMPED(VALUE(at) + OWED(at))
		:: else -> value[at] = VALUE(at)
		fi;
		if
		:: SPEC_ADJUST(me, at) != 0 ->
			sem[at].spec = CLAMPED(sem[at].spec + SPEC_ADJUST(me, at));
			sem[at].spec_tgid = op[me].tgid;
			SPEC_ADJUST(me, at) = 0
		:: else
		fi;
		at++
	:: else -> break
	od
}

inline find_debts()
{
	op[me].sems = 0;
	at = 0;
	do
	:: at < NSEM ->
		if
		:: ADJUST(me, at) != 0 -> op[me].sems = op[me].sems | BIT(at)
		:: else
		fi;
		at++
	:: else -> break
	od
}

#endif

#ifdef REMOVE
/* All sleepers end, no structure stays linked, no pid is kept */
inline end_all()
{
	other = 0;
	do
	:: other < NTASK ->
		if
		:: op[other].place == QUEUES ->
			dequeue(other);
			op[other].outcome = EIDRM;
			op[other].place = COMPLETED;
			done = done | BIT(other)
		:: else
		fi;
		other++
	:: else -> break
	od;
	at = 0;
	do
	:: at < NSEM ->
		sem[at].tgid = 0;
		sem[at].spec_tgid = 0;
		sem[at].word = sem[at].word + VERSION_ONE;
		at++
	:: else -> break
	od
#ifdef EXIT
	;
	undo[0].linked = 0;
	undo[1].linked = 0
#endif
}
#endif

proctype task(byte me)
{
	byte i;			/* semaphore at hand */
	byte n;			/* operation at hand */
	byte word;		/* what the lock-free way has read */
	short kept;		/* values that were decided */
	byte done;		/* completed, and not yet told */
	byte wake;		/* to be woken when the locks are dropped */
#ifdef LEAVE
	bit leaving;
#endif
#ifdef BUG_NO_SECOND_TRY
	bit tried;
#endif
#ifdef BUG_DEBTS_FOUND_EARLY
	short early;
#endif

#ifdef REMOVE
	atomic {
#ifndef BUG_OUTSIDE_RCU
		rcu_lock();
#endif
		if
		:: NOT_THERE(me) -> goto finished
		:: else
		fi
	};
	atomic {
		SET_EXISTS;
		if
		:: op[me].role == READ_ALL ->
#ifndef BUG_READER_WITHOUT_REFERENCE
			if
			:: references == 0 -> goto finished
			:: else -> references++; op[me].refers = 1
			fi;
#endif
			rcu_unlock()
		:: op[me].role == REMOVAL ->
			object_lock == 0;
			if
			:: withdrawn -> goto finished
			:: else -> object_lock = 1
			fi
		:: else
		fi;
#else
	atomic {
#endif
		if
		:: op[me].role != OPERATION -> goto claim_lock_way
		:: op[me].role == OPERATION && NOT_LOCKLESS(me) -> goto take
		:: else
		fi;

		/* Way 1 */
		SET_EXISTS;
		first_sem(me);
		word = sem[i].word;
		/* This is what GETVAL would see */
		assert((word & (BUSY | CLAIMED)) || VALUE(i) == sem[i].spec);
		if
		:: word & SHUT -> goto take
		:: else
		fi;
		if
		:: !SOP_GOES(op[me].sop[0], i) ->
#ifdef VERDICT
			if
			:: op[me].sop[0] & IPC_NOWAIT ->
				d_step { try(me); assert(verdict == EAGAIN) };
				op[me].result = EAGAIN;
				goto finished
			:: else
			fi;
#endif
			goto take
		:: else
		fi
	};
	atomic {
		SET_EXISTS;
		if
		:: sem[i].tgid != op[me].tgid -> goto take
		:: else
		fi
	};
	atomic {
		SET_EXISTS;
		if
		:: sem[i].word != word -> goto take
		:: else
		fi;
		d_step {
			try(me);
			take_effect(me);
			sem[i].word = (word & ~VALUE_MASK) | value[i];
			op[me].result = GOES
		};
		/* The recorded pid needs no writing */
		assert(sem[i].tgid == sem[i].spec_tgid);
		goto finished
	};

take:	/* Ways 2 and 3: own a semaphore, and see that the sop can go there */
	atomic {
		i = SOP_SEM(op[me].sop[n]);
		word = 0;
#ifdef BUG_WAITS_FOR_BUSY
		if
		:: sem[i].word & BUSY -> goto take
		:: else
		fi;
#endif
		if
		:: OUT_OF_ORDER(op[me].sop, n) || (sem[i].word & NOT_OURS) -> goto give_up
		:: else
		fi;
		sem[i].lock == 0;
		SET_EXISTS;
		if
		:: sem[i].word & NOT_OURS -> goto give_up
		:: else
		fi;
		sem[i].lock = 1 + me;
#ifndef BUG_SHORT_NOT_BUSY
		sem[i].word = sem[i].word | BUSY;
#endif
		if
		:: !SOP_GOES(op[me].sop[n], i) || !UNDO_GOES(me, op[me].sop[n]) ->
			d_step { release_short(i); sem[i].lock = 0 };
			goto give_up
		:: else
		fi;
		n++;
		if
		:: n < NSOP && op[me].sop[n] != NONE ->
#ifdef BUG_SHORT_ONE_AT_A_TIME
			sem[i].lock = 0;
#endif
			goto take
		:: else
		fi;
		d_step {
			assert_owner(me);
			try(me);
			take_effect(me);
			commit(me);
			changed = 0;
			op[me].result = GOES
		}
	};
give:	atomic {
		d_step {
			SET_EXISTS;
			n--;
			i = SOP_SEM(op[me].sop[n]);
			release_short(i);
			sem[i].lock = 0
		};
		if
		:: n > 0 -> goto give
		:: else -> goto finished
		fi
	};
give_up:	/* as it was */
	atomic {
		if
		:: n > 0 -> d_step {
			n--;
			SET_EXISTS;
			i = SOP_SEM(op[me].sop[n]);
			release_short(i);
			sem[i].lock = 0
		   };
		   goto give_up
		:: else
		fi
	};

locks_way:	/* Ways 2 and 3, long */
	atomic {
		word = 0;
		first_sem(me);
		do
		:: i < NSEM ->
			sem[i].lock == 0;
			SET_EXISTS;
#ifdef BUG_BUSY_BEFORE_CLAIMED
			sem[i].word = sem[i].word | BUSY;
#endif
			if
#ifndef BUG_CLAIMED_NOT_CHECKED
			:: sem[i].word & CLAIMED ->
#ifdef BUG_BUSY_BEFORE_CLAIMED
				d_step { sem[i].lock = 1 + me; release(i) };
#endif
				d_step { unlock_all(); skip };
				goto claim_lock_way
#endif
			:: else
			fi;
			sem[i].lock = 1 + me;
			i++;
			next_sem(me)
		:: else -> break
		od;
		first_sem(me)
	};

busy:	atomic {
		d_step {
			SET_EXISTS;
#ifndef BUG_NOT_BUSY
			sem[i].word = sem[i].word | BUSY;
#endif
			i++;
			next_sem(me)
		};
		if
		:: i < NSEM -> goto busy
		:: else -> goto owned
		fi
	};

claim_lock_way:	/* Way 4 */
#ifdef BUG_UNLINKED_FIRST
	atomic {
		if
		:: op[me].role == GROUP_END -> claim_lock == 0; undo[0].linked = 0
		:: else
		fi
	};
#endif
#ifdef BUG_DEBTS_FOUND_EARLY
	atomic {
		early = 0;
		if
		:: op[me].role == GROUP_END ->
			d_step { find_debts(); skip };
			early = ADJUST(me, 0) + 3 | ADJUST(me, 1) + 3 << 3
		:: else
		fi
	};
#endif
	atomic {
		claim_lock == 0 -> claim_lock = 1 + me;
		SET_EXISTS;
#ifdef REMOVE
		if
#ifdef LEAVE
		:: REMOVED && !leaving ->
#else
		:: REMOVED ->
#endif
			claim_lock = 0;
			op[me].result = EIDRM;
			goto finished
		:: else
		fi;
		if
		:: op[me].role == REMOVAL -> removed = 1
		:: else
		fi;
#endif
#if defined(EXIT) && !defined(BUG_DEBTS_FOUND_EARLY)
		if
		:: op[me].role == GROUP_END -> d_step { find_debts(); skip }
		:: else
		fi;
#endif
		first_sem(me);
#ifdef LEAVE
		if
		:: leaving && !SINGLE(me) -> goto owned
		:: else
		fi;
#endif
		if
#ifdef BUG_REMOVAL_DOES_NOT_CLAIM
		:: op[me].role == REMOVAL -> goto owned
		:: op[me].role != REMOVAL && (op[me].role != OPERATION || !SINGLE(me)) ->
#else
		:: op[me].role != OPERATION || !SINGLE(me) ->
#endif
			op[me].claims = 1
		:: op[me].role == OPERATION && SINGLE(me) && (sem[i].word & CLAIMED) ->
			goto owned
		:: else ->
			sem[i].lock == 0 -> sem[i].lock = 1 + me;
			SET_EXISTS;
			claim_lock = 0;
			goto busy
		fi
	};

claims:	atomic {
		if
		:: i < NSEM ->
			CAN_CLAIM(i) ->
			d_step {
				claim(i);
				i++;
				next_sem(me)
			};
			goto claims
		:: else
		fi;
		goto owned
	};

owned:	/* Decide */
	atomic {
		SET_EXISTS;
#ifdef LEAVE
		if
		:: leaving ->
			leaving = 0;
			i = 0;
			if
#ifndef BUG_LEAVER_LOOKS_ONCE
			:: op[me].result != BLOCKS
#endif
			:: else -> d_step {
				dequeue(me);
				op[me].place = OUTSIDE;
				op[me].result = EINTR
			   }
			fi;
			goto disown
		:: else
		fi;
#endif
		d_step {
			assert_owner(me);
			try(me);
#ifdef BUG_NO_SECOND_TRY
			verdict = (tried -> BLOCKS : verdict);
#endif
			if
			:: op[me].role == OPERATION ->
				if
				:: verdict == GOES -> take_effect(me)
				:: else
				fi
#ifdef CONTROL
			:: op[me].role == SET_VALUES ->
				verdict = GOES;
				set_values()
#endif
#ifdef EXIT
			:: op[me].role == GROUP_END ->
				verdict = GOES;
				give_back()
#endif
#ifdef REMOVE
			:: op[me].role == REMOVAL ->
				verdict = GOES;
				spec_removed = 1
			:: op[me].role == READ_ALL ->
				verdict = GOES;
				assert(SPEC_VALUES)
#endif
			fi;
			i = verdict;
			keep_values()
		};
		if
		:: i == GOES
		:: i == BLOCKS && MAY_SLEEP(me) && (SINGLE(me) || op[me].claims) ->
#ifndef CLOCK_STANDS
			if
			:: clock++
			:: skip
			fi;
#endif
			d_step {
				try(me);
				enqueue(me);
				kept = 0;
				i = 0
			};
			goto disown
#ifdef VERDICT
		:: i == BLOCKS && !MAY_SLEEP(me) ->
			op[me].result = EAGAIN;
			kept = 0;
			i = 0;
			goto disown
		:: i == EAGAIN || i == ERANGE ->
			op[me].result = i;
			kept = 0;
			i = 0;
			goto disown
#endif
		:: else ->
#ifdef BUG_NO_SECOND_TRY
			tried = 1;
#endif
			kept = 0;
			i = 0;
			goto disown
		fi
	};

	/* Do, and hand off */
	d_step {
		changed = 0;
		SET_EXISTS;
		assert_owner(me);
		try(me);
		kept_values();
		if
#ifdef REMOVE
		:: op[me].role == REMOVAL ->
			end_all();
#ifndef BUG_TOLD_BEFORE_WITHDRAWN
			withdrawn = 1
#endif
		:: op[me].role == READ_ALL -> kept = 0
		:: op[me].role != REMOVAL && op[me].role != READ_ALL ->
#else
		:: true ->
#endif
			commit(me);
#if defined(CONTROL) && defined(EXIT)
			if
			:: op[me].role == SET_VALUES -> forget_adjustments()
			:: else
			fi;
#endif
			hand_off(op[me].claims)
		fi;
		op[me].result = GOES
	};

disown:	/* By locks: release the words, tell, unlock */
	atomic {
		first_sem(me);
		if
		:: claim_lock == 1 + me -> goto tell_claimers
		:: else
		fi
	};
words:	atomic {
		d_step {
			SET_EXISTS;
			release(i);
			i++;
			next_sem(me)
		};
		if
		:: i < NSEM -> goto words
		:: else
		fi
	};
tell_singles:
	atomic {
		if
		:: done ->
			d_step {
				next_done();
				tell(best)
			};
			goto tell_singles
		:: else -> goto unlock
		fi
	};

tell_claimers:	/* By claim: tell, but give back claims first; one's own; unlock */
	atomic {
		if
		:: done -> d_step {
			next_done();
			n = best;
			i = 0;
			if
			:: op[n].claims ->
				op[n].claims = 0
#if NSEM > 2
				;
				next_sem(n)
#endif
			:: else -> i = NSEM
			fi
		   }
		:: else -> goto own_claims
		fi
	};
their_claims:
	atomic {
		if
		:: i < NSEM ->
			CAN_UNCLAIM(i) ->
			d_step {
				unclaim(i);
				i++;
				next_sem(n)
			};
			goto their_claims
		:: else
		fi;
		d_step { tell(n); n = 0 };
		goto tell_claimers
	};
own_claims:
	atomic {
		if
		:: op[me].claims && CLAIMS_END(me) ->
			op[me].claims = 0;
			first_sem(me)
		:: else -> goto unlock
		fi;
#ifdef EXIT
		if
		:: i == NSEM -> goto unlock
		:: else
		fi
#endif
	};
give_back_claims:
	atomic {
		CAN_UNCLAIM(i) ->
		d_step {
			unclaim(i);
			i++;
			next_sem(me)
		};
		if
		:: i < NSEM -> goto give_back_claims
		:: else
		fi
	};

unlock:	atomic {
		d_step {
			SET_EXISTS;
#ifdef EXIT
			if
			:: op[me].role == GROUP_END ->
#ifndef BUG_UNLINKED_FIRST
				assert(undo[op[me].tgid - 1].linked);
#endif
				undo[op[me].tgid - 1].linked = 0
			:: else
			fi;
#endif
			i = 0;
			unlock_all();
			skip
		};
		if
		:: op[me].result == BLOCKS && op[me].place == OUTSIDE -> goto claim_lock_way
		:: else
		fi;
#ifdef REMOVE
		if
		:: op[me].role == REMOVAL -> goto removal_ends
		:: else
		fi;
		rcu_unlock();
#endif
		d_step { wake_up(); skip };
		if
		:: op[me].result != BLOCKS -> goto finished
		:: else
		fi
	};

sleep:
#ifndef BUG_STATE_AFTER_RESULT
	op[me].asleep = 1;
#endif
	atomic {
		if
		:: op[me].result != BLOCKS ->
#ifdef BUG_WOKEN_LOOKS_AT_SET
			SET_EXISTS;
#endif
			goto finished
		:: else
		fi
	};
#ifdef BUG_STATE_AFTER_RESULT
	op[me].asleep = 1;
#endif
end_asleep:
	atomic {
		if
#ifdef BUG_WOKEN_TRUSTS_WAKER
		:: !op[me].asleep -> goto finished
#else
		:: !op[me].asleep -> goto sleep
#endif
#ifdef STRAY
		:: op[me].asleep && op[me].stray ->
			op[me].stray = 0;
			op[me].asleep = 0;
			goto end_asleep
#endif
#ifdef LEAVE
		:: op[me].may_leave
#endif
		fi
#ifdef LEAVE
		;
		/* A signal or the time limit: sem_cancel() */
		op[me].asleep = 0
	};
	atomic {
#ifdef REMOVE
#ifndef BUG_LEAVER_OUTSIDE_RCU
		rcu_lock();
#endif
#endif
		if
		:: op[me].result != BLOCKS -> goto finished
		:: else
		fi;
		leaving = 1;
		if
		:: SINGLE(me) -> goto locks_way
		:: else -> goto claim_lock_way
		fi
#endif
	};

#ifdef REMOVE
removal_ends:
	atomic {
		withdrawn = 1;
		object_lock = 0;
		rcu_unlock()
	};
	d_step { wake_up(); skip };
	op[me].refers = 1;	/* the one that the tables had */
#endif

finished:
	atomic {
#ifdef REMOVE
		rcu_unlock();
		if
		:: op[me].refers -> op[me].refers = 0; put_set()
		:: else
		fi;
		/* Who learns that the set has gone does not find it any more */
		assert(op[me].result != EIDRM || withdrawn);
#endif
		i = 0;
		word = 0;
		op[me].asleep = 0;
		op[me].place = GONE;
		op[me].ended = 1
	}
}
