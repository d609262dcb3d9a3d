/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a model starts and ends.  choose() is the model's own; when nothing can
 * happen any more, whoever sleeps must have to, and everything else must be as
 * if nobody had been here.
 */

inline start_value(s, v)
{
	sem[s].word = v;
	sem[s].spec = v;
	sem[s].tgid = 1;
	sem[s].spec_tgid = 1
}

#ifdef COARSE
/* sem_coarse: the claim lock owns all semaphores for ever */
bit coarse;

inline start_coarse()
{
	d_step {
		coarse = 1;
		at = 0;
		do
		:: at < NSEM ->
			sem[at].word = sem[at].word | CLAIMED;
			sem[at].claims = 1;
			at++
		:: else -> break
		od;
		skip
	}
}
#else
#define coarse		0
#endif

/* One more kind than the last task's, or as many as one likes up to the limit */
inline next_kind(limit)
{
	do
	:: kind < limit - 1 -> kind++
	:: break
	od
}

/* Complete what choose() leaves open about operation n */
inline prepare(n)
{
	op[n].result = BLOCKS;
#ifdef REMOVE
	op[n].sems = (op[n].role == REMOVAL || op[n].role == READ_ALL -> BIT(NSEM) - 1 : 0);
#endif
#if NSOP > 1
	op[n].mixed = op[n].sop[1] != NONE;
#endif
	nth = 0;
	do
	:: nth < NSOP && op[n].sop[nth] != NONE ->
		op[n].sems = op[n].sems | BIT(SOP_SEM(op[n].sop[nth]));
		op[n].alters = op[n].alters || SOP_CHANGE(op[n].sop[nth]) != 0;
		nth++
	:: else -> break
	od
}

/* It came after the set had left the tables: EINVAL */
#ifdef REMOVE
#define NOT_FOUND	withdrawn
#define CLAIMS_STAY	removed
#else
#define NOT_FOUND	false
#define CLAIMS_STAY	false
#endif

inline check_tasks()
{
	best = 0;
	do
	:: best < NTASK ->
		if
#ifndef NOBODY_IS_LEFT
		:: op[best].place == QUEUES ->
			assert(!CLAIMS_STAY);
			assert(op[best].asleep && op[best].result == BLOCKS);
			assert(op[best].claims == !SINGLE(best));
			try(best);
			assert(verdict == BLOCKS)
#endif
		:: else ->
			assert(op[best].ended && op[best].place == GONE);
			assert(op[best].result != BLOCKS || NOT_FOUND)
		fi;
		best++
	:: else -> break
	od
}

#ifndef NOBODY_IS_LEFT
/* How many sleeping operations have claims on semaphore s? */
inline count_claims(s)
{
	bits = 0;
	best = 0;
	do
	:: best < NTASK ->
		if
		:: op[best].place == QUEUES && TOUCHES(best, s) -> bits = bits + op[best].claims
		:: else
		fi;
		best++
	:: else -> break
	od
}
#endif

inline check_sems()
{
	assert(claim_lock == 0);
	which = 0;
	do
	:: which < NSEM ->
		assert(sem[which].lock == 0 && !(sem[which].word & BUSY));
		assert(VALUE(which) == sem[which].spec);
		assert(sem[which].tgid == sem[which].spec_tgid);
#ifndef NOBODY_IS_LEFT
		count_claims(which);
		assert(CLAIMS_STAY || sem[which].claims == bits + coarse);
#endif
		assert(!(sem[which].word & CLAIMED) == !sem[which].claims);
		which++
	:: else -> break
	od
}

init {
	byte j;
	byte kind;

	atomic {
		choose();
		do
		:: j < NTASK ->
			d_step { prepare(j); skip };
			j++
		:: else -> break
		od;
		j = 0;
		kind = 0;
		do
		:: j < NTASK -> run task(j); j++
		:: else -> break
		od;
		j = 0
	};
	timeout;
	d_step {
		check_tasks();
		check_sems();
		check_more();
		skip
	}
}
