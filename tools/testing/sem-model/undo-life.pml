/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of undo structures (sem_undo.c): the threads of a group make and use
 * one for a set, the last one out settles, IPC_RMID unlinks it, and a new set
 * may have the same id and index.  What frees what, and when: nothing is freed
 * twice or used afterwards, nothing is left behind, no new set gets old debts.
 *
 * Semaphores are left out: an operation is one step under the lock of its set.
 */

#define MEMBERS		2
#ifdef LARGE
#define REMOVERS	2
#else
#define REMOVERS	1
#endif
#define NSET		(REMOVERS + 1)
#define NUNDO		(NSET * MEMBERS)

#define BIT(n)		(1 << (n))

typedef memory_object {		/* what RCU frees */
	bit dead;
	byte grace;		/* bits of readers whom freeing waits for */
};
#define EXISTS(object)	assert(!object.dead || object.grace)

typedef semaphore_set {
	memory_object memory;
	byte lock;		/* the claim lock: 1 + its holder */
	byte refs;
	bit removed;
	byte spec_owed;
};

typedef undo_structure {
	memory_object memory;
	bit born;
	byte owner;		/* the set */
	byte refs;
	bit linked;
	bit adjust;		/* there is one for the semaphore */
	byte owed;
};

semaphore_set sets[NSET];
undo_structure undo[NUNDO];
byte current;			/* 1 + the set that the id finds */
byte newest;			/* the last set that was made */
bit object_lock;

memory_object group;
byte group_refs = MEMBERS;
byte group_slot;		/* 1 + the structure at the set's index */
byte group_first;		/* 1 + the one that is looked at first */

byte readers;
byte running = MEMBERS + REMOVERS;
hidden byte nth;

#define rcu_lock()	readers = readers | BIT(me)
#ifdef BUG_NO_RCU
#define FREE(object)	object.dead = 1
#else
#define FREE(object)	object.dead = 1; object.grace = readers
#endif

inline rcu_unlock()
{
	d_step {
		nth = 0;
		readers = readers & ~BIT(me);
		group.grace = group.grace & ~BIT(me);
		do
		:: nth < NUNDO ->
			undo[nth].memory.grace = undo[nth].memory.grace & ~BIT(me);
			nth++
		:: else -> break
		od;
		nth = 0;
		do
		:: nth < NSET ->
			sets[nth].memory.grace = sets[nth].memory.grace & ~BIT(me);
			nth++
		:: else -> break
		od;
		skip
	}
}

inline put_set(n)
{
	assert(sets[n].refs);
	sets[n].refs--;
	if
	:: sets[n].refs == 0 -> FREE(sets[n].memory)
	:: else
	fi
}

inline put_undo(n)
{
	assert(undo[n].refs);
	undo[n].refs--;
	if
	:: undo[n].refs == 0 ->
		assert(!undo[n].memory.dead && !undo[n].linked);
		FREE(undo[n].memory)
	:: else
	fi
}

/* sem_undo_find(): an index is used again, by a set that is another one */
#ifdef BUG_SET_NOT_COMPARED
#define FOUND(u, s)	(u)
#else
#define FOUND(u, s)	((u) && undo[(u) - 1].owner == s)
#endif

/* Where to look: 1 + a structure, which may be another set's */
#define LOOK(s)		(FOUND(group_first, s) -> group_first : group_slot)

/* sem_undo_unlink(), under the lock of the set: two steps, for who looks */
inline unlink_first(n)
{
	assert(undo[n].linked);
	EXISTS(undo[n].memory);
	EXISTS(group);
	undo[n].linked = 0;
#ifndef BUG_FIRST_STAYS
	group_first = (group_first == 1 + n -> 0 : group_first)
#endif
}

inline unlink_slot(n)
{
	EXISTS(group);
	assert(group_slot == 1 + n);
	group_slot = 0
}

proctype member(byte me)
{
	byte s, u;
	byte fresh;		/* 1 + a structure that is not linked yet */

start:	/* Look up, attach */
	atomic {
		rcu_lock();
		if
		:: !current -> goto leave
		:: else -> s = current - 1; u = LOOK(s)
		fi
	};
	atomic {
		if
		:: u -> EXISTS(undo[u - 1].memory)
		:: else
		fi;
		if
		:: FOUND(u, s) && undo[u - 1].adjust
		:: else ->
			rcu_unlock();
			goto prepare
		fi
	};

	/* The operation */
	atomic {
		sets[s].lock == 0;
		EXISTS(sets[s].memory);
		if
		:: !sets[s].removed ->
			EXISTS(undo[u - 1].memory);
			assert(undo[u - 1].linked && undo[u - 1].owner == s);
			undo[u - 1].owed++;
			sets[s].spec_owed++
		:: else
		fi;
		goto leave
	};

prepare:	/* sem_undo_prepare(): the set again, with a reference */
	atomic {
		rcu_lock();
		if
		:: !current -> goto leave
		:: else -> s = current - 1
		fi
	};
	atomic {
		EXISTS(sets[s].memory);
		if
		:: sets[s].refs == 0 -> goto leave
		:: else
		fi;
#ifndef BUG_SET_WITHOUT_REFERENCE
		sets[s].refs++;
#endif
		rcu_unlock()
	};

get:	/* sem_undo_get(): the structure, with a reference */
	atomic {
		rcu_lock();
		u = LOOK(s)
	};
	atomic {
		if
		:: u -> EXISTS(undo[u - 1].memory)
		:: else
		fi;
		if
		:: FOUND(u, s) ->
			if
			:: undo[u - 1].refs == 0 -> goto put_set_and_leave
			:: else -> undo[u - 1].refs++
			fi;
			rcu_unlock();
			goto add
		:: else
		fi;
		rcu_unlock();
		fresh = 1;
		do
		:: undo[fresh - 1].born -> fresh++
		:: else -> break
		od;
		undo[fresh - 1].born = 1;
		undo[fresh - 1].owner = s;
		undo[fresh - 1].refs = 1
	};
	/* sem_undo_link(): somebody else may have been first */
	atomic {
		sets[s].lock == 0;
		EXISTS(sets[s].memory);
		if
#ifndef BUG_LINKED_TO_REMOVED
		:: sets[s].removed ->
			put_undo(fresh - 1);
			fresh = 0;
			goto put_set_and_leave
#endif
#ifndef BUG_LINKED_TWICE
		:: !sets[s].removed && FOUND(LOOK(s), s) -> goto linked
#endif
		:: else ->
			assert(!group_slot);
			group_slot = fresh;
			sets[s].lock = 1 + me
		fi
	};
	atomic {
		undo[fresh - 1].linked = 1;
#ifndef BUG_LINK_HAS_NO_REFERENCE
		undo[fresh - 1].refs++;
#endif
		group_first = (group_first -> group_first : fresh)
	};
linked:	atomic {
		if
		:: sets[s].lock == 1 + me -> sets[s].lock = 0
		:: else
		fi;
		put_undo(fresh - 1);
		u = 0;
		fresh = 0;
		goto get
	};

add:	/* sem_undo_add() */
	atomic {
		/* Its index was looked for in s */
		assert(undo[u - 1].owner == s);
		sets[s].lock == 0;
		EXISTS(sets[s].memory);
		EXISTS(undo[u - 1].memory);
		if
		:: sets[s].removed -> put_undo(u - 1); goto put_set_and_leave
		:: else -> undo[u - 1].adjust = 1
		fi
	};
	atomic {
		put_undo(u - 1);
#ifndef BUG_SET_WITHOUT_REFERENCE
		put_set(s);
#endif
		s = 0;
		u = 0;
		goto start
	};

put_set_and_leave:
	atomic {
#ifndef BUG_SET_WITHOUT_REFERENCE
		put_set(s);
#endif
		skip
	};
leave:	/* exit_sem(): the last one out settles */
	atomic {
		rcu_unlock();
		s = 0;
		u = 0;
		group_refs--;
		if
		:: group_refs -> goto finished
		:: else
		fi
	};
settle:	atomic {
		rcu_lock();
		u = group_slot;
		if
		:: !u -> rcu_unlock(); goto settled
		:: else
		fi
	};
	atomic {
		EXISTS(undo[u - 1].memory);
		s = undo[u - 1].owner
	};
	atomic {
		sets[s].lock == 0;
		EXISTS(sets[s].memory);
#ifndef BUG_EXIT_IGNORES_REMOVAL
		if
		:: sets[s].removed ->
			/* It is found once only, or this would never end */
			assert(group_slot != u);
			rcu_unlock();
			goto settle
		:: else
		fi;
#endif
		EXISTS(undo[u - 1].memory);
		assert(undo[u - 1].owed == sets[s].spec_owed);
		sets[s].spec_owed = 0;
		undo[u - 1].owed = 0;
		unlink_first(u - 1);
		unlink_slot(u - 1)
	};
	atomic {
		put_undo(u - 1);
		rcu_unlock();
		goto settle
	};
settled:
	atomic {
		s = 0;
		FREE(group)
	};
finished:
	running--
}

/* IPC_RMID, and a semget() that gets the same id */
proctype remover(byte me)
{
	byte s, u;
	short unlinked;		/* bits of structures */

	atomic {
		rcu_lock();
		if
		:: current -> s = current - 1
#if REMOVERS > 1
		:: !current -> rcu_unlock(); goto finished
#endif
		fi
	};
	atomic {
		object_lock == 0;
		EXISTS(sets[s].memory);
		if
		:: current == 1 + s -> object_lock = 1
#if REMOVERS > 1
		:: current != 1 + s -> rcu_unlock(); goto finished
#endif
		fi
	};
	atomic {
		sets[s].lock == 0 -> sets[s].lock = 1 + me;
		sets[s].removed = 1
	};
#ifdef BUG_WITHDRAWN_FIRST
	atomic {
		newest++;
		current = 1 + newest;
		sets[newest].refs = 1
	};
#endif
next:	atomic {
		do
		:: u < NUNDO && !(undo[u].linked && undo[u].owner == s) -> u++
		:: else -> break
		od;
		if
		:: u < NUNDO -> unlink_first(u)
		:: else -> u = 0; goto no_more
		fi
	};
	atomic {
		unlink_slot(u);
		unlinked = unlinked | BIT(u);
		goto next
	};
no_more:
#ifndef BUG_WITHDRAWN_FIRST
	current = 0;
#endif
	atomic {
		sets[s].lock = 0;
		object_lock = 0;
		rcu_unlock()
	};
free:	atomic {
		do
		:: u < NUNDO && !(unlinked & BIT(u)) -> u++
		:: else -> break
		od;
		if
		:: u < NUNDO -> put_undo(u); unlinked = unlinked & ~BIT(u); goto free
		:: else -> u = 0
		fi;
		put_set(s);
		s = 0
	};
#ifndef BUG_WITHDRAWN_FIRST
	atomic {
		if
		:: !current ->
			newest++;
			sets[newest].refs = 1;
			current = 1 + newest
		:: skip
		fi
	};
#endif
finished:
	running--
}

init {
	byte n;

	atomic {
		current = 1;
		sets[0].refs = 1;
		n = 0;
		do
		:: n < MEMBERS -> run member(n); n++
		:: else -> break
		od;
		do
		:: n < MEMBERS + REMOVERS -> run remover(n); n++
		:: else -> break
		od;
		n = 0
	};
	timeout;
	atomic {
		assert(!running && !readers && !object_lock);
		assert(group.dead && !group.grace && !group_slot && !group_first);
		do
		:: n < NUNDO ->
			assert(!undo[n].born || undo[n].memory.dead && !undo[n].memory.grace);
			n++
		:: else -> break
		od;
		n = 0;
		do
		:: n <= newest ->
			assert(sets[n].removed == sets[n].memory.dead && !sets[n].memory.grace);
			assert(sets[n].removed || sets[n].refs == 1 && !sets[n].spec_owed);
			n++
		:: else -> break
		od
	}
}
