/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Weakly ordered memory, for the pairings of barriers.
 *
 * Stores go to a buffer and reach memory in any order, except where a barrier
 * orders them.  A processor may read ahead at any time since its last barrier,
 * and a later load takes that value.  This is weaker than TSO and PSO.  There
 * are no values out of thin air, and no store passes an earlier load.
 *
 * A model says NCPU, NVAR, and when its THREADS have finished, each with all its
 * stores in memory.
 */

#define BIT(n)		(1 << (n))
#define NOT_READ	255

typedef processor {
	byte stored[NVAR];
	byte first[NVAR];	/* bits of variables whose stores come before this one's */
	byte buffered;		/* bits of variables whose stores are in the buffer */
	byte combine;		/* those of them that add bits */
	byte ahead[NVAR];	/* what was read ahead */
};

byte memory[NVAR];
processor cpu[NCPU];
byte r0[NCPU], r1[NCPU], r2[NCPU];	/* registers, as in the litmus files */
byte finished;
hidden byte nth;

/* A second store to the same variable waits for the first to reach memory */
inline put_in_buffer(me, var, value)
{
	!(cpu[me].buffered & BIT(var));
	cpu[me].stored[var] = value;
	cpu[me].ahead[var] = NOT_READ
}

inline store(me, var, value)
{
	atomic {
		put_in_buffer(me, var, value);
		cpu[me].buffered = cpu[me].buffered | BIT(var)
	}
}

/* Comes after all stores before it (loads before it are over in any case) */
inline store_release(me, var, value)
{
	atomic {
		put_in_buffer(me, var, value);
		cpu[me].first[var] = cpu[me].buffered;
		cpu[me].buffered = cpu[me].buffered | BIT(var)
	}
}

/* An atomic operation without order of its own: done when it reaches memory */
inline atomic_or(me, var, bits)
{
	atomic {
		put_in_buffer(me, var, bits);
		cpu[me].combine = cpu[me].combine | BIT(var);
		cpu[me].buffered = cpu[me].buffered | BIT(var)
	}
}

/* No model loads what its processor has just stored */
inline load(me, var, to)
{
	d_step {
		assert(!(cpu[me].buffered & BIT(var)));
		to = (cpu[me].ahead[var] != NOT_READ -> cpu[me].ahead[var] : memory[var]);
		cpu[me].ahead[var] = NOT_READ
	}
}

inline forget_ahead(me)
{
	nth = 0;
	do
	:: nth < NVAR -> cpu[me].ahead[nth] = NOT_READ; nth++
	:: else -> break
	od;
	skip
}

/* Nothing after it was read ahead of it */
inline load_acquire(me, var, to)
{
	atomic {
		load(me, var, to);
		d_step { forget_ahead(me) }
	}
}

inline full_barrier(me)
{
	atomic {
		cpu[me].buffered == 0;
		d_step { forget_ahead(me) }
	}
}

/* Fully ordered */
inline compare_and_exchange(me, var, old, new, success)
{
	full_barrier(me);
	d_step {
		success = memory[var] == old;
		memory[var] = (success -> new : memory[var]);
		forget_ahead(me)
	}
}

/*
 * What processors do by themselves.  A model has a process "hardware" that
 * lists which stores and which loads there are.
 */
inline write_back(me, var)
{
	d_step {
		(cpu[me].buffered & BIT(var)) && !(cpu[me].buffered & cpu[me].first[var]) ->
		memory[var] = cpu[me].stored[var] | (cpu[me].combine & BIT(var) -> memory[var] : 0);
		cpu[me].combine = cpu[me].combine & ~BIT(var);
		cpu[me].first[var] = 0;
		cpu[me].stored[var] = 0;
		cpu[me].buffered = cpu[me].buffered & ~BIT(var)
	}
}

inline read_ahead(me, var)
{
	d_step { cpu[me].ahead[var] == NOT_READ -> cpu[me].ahead[var] = memory[var] }
}

inline power_on()
{
	byte cpu_nr, var_nr;

	do
	:: cpu_nr < NCPU ->
		var_nr = 0;
		do
		:: var_nr < NVAR -> cpu[cpu_nr].ahead[var_nr] = NOT_READ; var_nr++
		:: else -> break
		od;
		cpu_nr++
	:: else -> break
	od;
	run hardware()
}
