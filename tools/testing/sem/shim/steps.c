// SPDX-License-Identifier: GPL-2.0
/* Tasks, locks and RCU for one thread: see steps.h. */
#include <sys/mman.h>

#include "check.h"
#include "steps.h"
#include "system.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_SIZE	(512 * 1024)
#define MAX_TASKS	64

struct shim_thread {
	void *sp;
	char *stack;
	void *fake_stack;		/* AddressSanitizer's */
	void (*work)(void *arg);
	void *arg;
	const unsigned long *wants;	/* waits for the bits of ... */
	unsigned long bits;		/* ... this mask to clear */
	bool sleeps;
	bool timed_out;
	ktime_t limit;
};

struct task_struct *shim_current;
bool (*steps_switch_here)(void);
ktime_t steps_now = NSEC_PER_SEC;
bool steps_clock_stands;
time64_t steps_seconds = 1000;

static struct task_struct *host;
static struct task_struct *tasks[MAX_TASKS];
static struct rcu_head *waiting;
static u64 random_state;

/*
 * Switching
 */

void shim_switch_stacks(void **from, void *to);

#ifdef __x86_64__
__asm__(
	".text\n"
	".type shim_switch_stacks, @function\n"
	"shim_switch_stacks:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size shim_switch_stacks, . - shim_switch_stacks\n");

static void *first_frame(char *stack, void (*entry)(void))
{
	void **sp = (void **)(stack + STACK_SIZE);

	*--sp = NULL;	/* where a caller would have left its address */
	*--sp = entry;
	sp -= 6;
	memset(sp, 0, 6 * sizeof(*sp));
	return sp;
}
#else
#error "shim_switch_stacks() is written for x86-64 only"
#endif

#ifdef __SANITIZE_ADDRESS__
static const void *host_stack;
static size_t host_size;
#endif

static void leave_for(struct task_struct *from, struct task_struct *to)
{
#ifdef __SANITIZE_ADDRESS__
	const char *stack = to == host ? host_stack : to->thread->stack;
	size_t size = to == host ? host_size : STACK_SIZE;

	__sanitizer_start_switch_fiber(&from->thread->fake_stack, stack, size);
#endif
	shim_current = to;
	shim_switch_stacks(&from->thread->sp, to->thread->sp);
#ifdef __SANITIZE_ADDRESS__
	if (from == host)
		__sanitizer_finish_switch_fiber(from->thread->fake_stack, NULL, NULL);
	else
		__sanitizer_finish_switch_fiber(from->thread->fake_stack,
						&host_stack, &host_size);
#endif
}

static void run_for_ever(void)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(NULL, &host_stack, &host_size);
#endif
	for (;;) {
		struct shim_thread *thread = current->thread;

		thread->work(thread->arg);
		thread->work = NULL;
		if (current->held_count || current->rcu_depth)
			SHIM_DIE("work ended with a lock held or under RCU");
		leave_for(current, host);
	}
}

void shim_point(void)
{
	if (steps_switch_here && current != host && steps_switch_here())
		leave_for(current, host);
}

static void wait_for(const unsigned long *word, unsigned long bits)
{
	if (current == host)
		SHIM_DIE("the host would have to wait for a lock");
	current->thread->bits = bits;
	current->thread->wants = word;
	leave_for(current, host);
	current->thread->wants = NULL;
}

/*
 * The host's side
 */

/* Stacks are used again: mapping them costs more than what tasks do on them */
static char *free_stacks;

static char *new_stack(void)
{
	char *stack = free_stacks;

	if (stack) {
		free_stacks = *(char **)stack;
		return stack;
	}
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED)
		SHIM_DIE("no memory");
	return stack;
}

static void free_stack(char *stack)
{
	*(char **)stack = free_stacks;
	free_stacks = stack;
}

static struct shim_thread *new_thread(void)
{
	struct shim_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		SHIM_DIE("no memory");
	return thread;
}

void steps_start(void)
{
	host = shim_first_task();
	host->thread = new_thread();
	tasks[0] = host;
	shim_current = host;
	steps_seed(1);
	shim_boot();
}

void steps_seed(u64 seed)
{
	random_state = seed * 2 + 1;
}

u32 get_random_u32(void)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state >> 32;
}

int steps_new(struct task_struct *parent, unsigned int flags,
	      struct task_struct **result)
{
	bool (*switch_here)(void);
	struct task_struct *task;
	int i, err;

	for (i = 1; i < MAX_TASKS && tasks[i]; i++)
		;
	if (i == MAX_TASKS)
		SHIM_DIE("more tasks than MAX_TASKS");
	/* The kernel would do this in the parent */
	switch_here = steps_switch_here;
	steps_switch_here = NULL;
	shim_current = parent;
	err = shim_new_task(parent, flags, &task);
	shim_current = host;
	steps_switch_here = switch_here;
	if (err)
		return err;
	task->index = i;
	tasks[i] = task;
	task->thread = new_thread();
	task->thread->stack = new_stack();
	task->thread->sp = first_frame(task->thread->stack, run_for_ever);
	*result = task;
	return 0;
}

void steps_free(struct task_struct *task)
{
	if (steps_state(task) != STEPS_IDLE)
		SHIM_DIE("a task that is at work is to be freed");
	tasks[task->index] = NULL;
	free_stack(task->thread->stack);
	free(task->thread);
	put_task_struct(task);
}

void steps_give(struct task_struct *task, void (*work)(void *), void *arg)
{
	if (steps_state(task) != STEPS_IDLE)
		SHIM_DIE("a task that is at work is given more");
	task->thread->work = work;
	task->thread->arg = arg;
	task->__state = TASK_RUNNING;
}

enum steps_state steps_state(struct task_struct *task)
{
	struct shim_thread *thread = task->thread;

	if (!thread->work)
		return STEPS_IDLE;
	if (thread->wants)
		return *thread->wants & thread->bits ? STEPS_LOCKED : STEPS_READY;
	/* A task that is on its way into sleep still runs */
	return thread->sleeps && task->__state != TASK_RUNNING ?
	       STEPS_ASLEEP : STEPS_READY;
}

void steps_run(struct task_struct *task)
{
	leave_for(host, task);
}

/*
 * Sleeping
 */

ktime_t ktime_get(void)
{
	if (!steps_clock_stands)
		steps_now++;
	return steps_now;
}

time64_t ktime_get_real_seconds(void)
{
	return steps_seconds;
}

int schedule_hrtimeout_range(ktime_t *expires, u64 slack, enum hrtimer_mode mode)
{
	struct shim_thread *thread = current->thread;

	might_sleep();
	if (current == host)
		SHIM_DIE("the host would have to sleep");
	if (expires && !*expires) {
		current->__state = TASK_RUNNING;
		return 0;
	}
	thread->timed_out = false;
	thread->limit = expires ? *expires : KTIME_MAX;
	thread->sleeps = true;
	while (current->__state != TASK_RUNNING && !current->signal)
		leave_for(current, host);
	thread->sleeps = false;
	current->__state = TASK_RUNNING;
	return thread->timed_out ? 0 : -EINTR;
}

ktime_t steps_limit(struct task_struct *task)
{
	return steps_state(task) == STEPS_ASLEEP ? task->thread->limit : KTIME_MAX;
}

void steps_expire(struct task_struct *task)
{
	task->thread->timed_out = true;
	task->__state = TASK_RUNNING;
}

void steps_signal(struct task_struct *task)
{
	task->signal = true;
	task->__state = TASK_RUNNING;
}

void wake_up_process(struct task_struct *task)
{
	shim_point();
	task->__state = TASK_RUNNING;
}

/*
 * Locks
 */

static void take(unsigned long *word, unsigned long bits)
{
	shim_point();
	while (*word & bits)
		wait_for(word, bits);
	*word |= bits;
}

void spin_lock(spinlock_t *lock)
{
	shim_acquiring(lock);
	take(&lock->locked, 1);
	shim_acquired(lock);
}

void shim_mutex_init(struct mutex *mutex)
{
	mutex->held = 0;
}

void mutex_lock(struct mutex *mutex)
{
	might_sleep();
	take(&mutex->held, 1);
}

void mutex_unlock(struct mutex *mutex)
{
	shim_point();
	mutex->held = 0;
}

void bit_spin_lock(int nr, unsigned long *addr)
{
	take(&addr[BIT_WORD(nr)], BIT_MASK(nr));
}

void bit_spin_unlock(int nr, unsigned long *addr)
{
	shim_point();
	__clear_bit(nr, addr);
}

/*
 * RCU: a callback runs as soon as all have left that were readers when it was
 * queued.  As on PREEMPT_RT, who holds a spinlock is a reader.
 */

static bool is_reader(struct task_struct *task)
{
	return task->rcu_depth || task->held_count;
}

static void quiescent(void)
{
	struct rcu_head **link = &waiting, *head;

	if (is_reader(current))
		return;
	for (head = waiting; head; head = head->next)
		head->readers &= ~(1ULL << current->index);
	while ((head = *link)) {
		if (head->readers) {
			link = &head->next;
			continue;
		}
		*link = head->next;
		shim_rcu_invoke(head);
		/* It may have queued another one */
		link = &waiting;
	}
}

void spin_unlock(spinlock_t *lock)
{
	shim_point();
	shim_releasing(lock);
	lock->locked = 0;
	quiescent();
}

void shim_rcu_read_lock(void)
{
	current->rcu_depth++;
	shim_point();
}

void shim_rcu_read_unlock(void)
{
	shim_point();
	if (current->rcu_depth-- <= 0)
		SHIM_DIE("RCU left more often than entered");
	quiescent();
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	int i;

	head->func = func;
	head->readers = 0;
	for (i = 0; i < MAX_TASKS; i++)
		if (tasks[i] && is_reader(tasks[i]))
			head->readers |= 1ULL << i;
	head->next = waiting;
	waiting = head;
	quiescent();
}
