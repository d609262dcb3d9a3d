// SPDX-License-Identifier: GPL-2.0
/* Namespaces, security hooks, /proc and deferred work. */
#include <linux/ipc_namespace.h>

struct user_namespace init_user_ns;
static struct pid_namespace init_pid_ns;
int ipc_mni = 1 << 15, ipc_mni_shift = 15, ipc_min_cycle = 64;
int shim_lsm_answer;

struct pid_namespace *task_active_pid_ns(struct task_struct *task)
{
	return &init_pid_ns;
}

void put_ipc_ns(struct ipc_namespace *ns)
{
	refcount_dec(&ns->ns.count);
}

/* The other two kinds of objects are not here */
void msg_init(void);
void shm_init(void);

void msg_init(void)
{
}

void shm_init(void)
{
}

/*
 * Security hooks: under RCU, never under a spinlock
 */

static int lsm_hook(void)
{
	/* The stock ipcget() does that */
	if (current->held_count && !SHIM_STOCK)
		SHIM_DIE("a security hook under a spinlock");
	return READ_ONCE(shim_lsm_answer);
}

/* Permissions have a check of their own, so that hook only agrees */
int security_ipc_permission(struct kern_ipc_perm *perm, short flag)
{
	return 0;
}

int security_sem_alloc(struct kern_ipc_perm *perm)
{
	int err;

	might_sleep();
	err = lsm_hook();
	if (err)
		return err;
	perm->security = kmalloc(8, GFP_KERNEL);
	return perm->security ? 0 : -ENOMEM;
}

void security_sem_free(struct kern_ipc_perm *perm)
{
	kfree(perm->security);
	perm->security = NULL;
}

int security_sem_associate(struct kern_ipc_perm *perm, int flg)
{
	return lsm_hook();
}

int security_sem_semctl(struct kern_ipc_perm *perm, int cmd)
{
	return lsm_hook();
}

int security_sem_semop(struct kern_ipc_perm *perm, struct sembuf *sops,
		       unsigned int nsops, int alter)
{
	return lsm_hook();
}

/*
 * Times from user space
 */

int get_timespec64(struct timespec64 *to, const struct __kernel_timespec *from)
{
	struct __kernel_timespec t;

	if (copy_from_user(&t, from, sizeof(t)))
		return -EFAULT;
	to->tv_sec = t.tv_sec;
	to->tv_nsec = t.tv_nsec;
	return 0;
}

int get_old_timespec32(struct timespec64 *to, const void *from)
{
	struct old_timespec32 t;

	if (copy_from_user(&t, from, sizeof(t)))
		return -EFAULT;
	to->tv_sec = t.tv_sec;
	to->tv_nsec = t.tv_nsec;
	return 0;
}

/*
 * /proc
 */

struct proc_dir_entry {
	const char *path;
	const struct proc_ops *ops;
	void *data;
};

static struct proc_dir_entry entry;

struct proc_dir_entry *proc_create_data(const char *path, umode_t mode,
					struct proc_dir_entry *parent,
					const struct proc_ops *ops, void *data)
{
	if (entry.path)
		return NULL;
	entry = (struct proc_dir_entry){ .path = path, .ops = ops, .data = data };
	return &entry;
}

void seq_printf(struct seq_file *seq, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(seq->text + seq->length, seq->size - seq->length, fmt, args);
	va_end(args);
	if (n < 0 || seq->length + n >= seq->size)
		SHIM_DIE("one line of /proc is longer than a page");
	seq->length += n;
}

void seq_puts(struct seq_file *seq, const char *text)
{
	seq_printf(seq, "%s", text);
}

void *__seq_open_private(struct file *file, const struct seq_operations *op, int size)
{
	struct seq_file *seq = kzalloc(sizeof(*seq), GFP_KERNEL);
	void *private = kzalloc(size, GFP_KERNEL);

	if (!seq || !private) {
		kfree(seq);
		kfree(private);
		return NULL;
	}
	seq->private = private;
	seq->op = op;
	file->private_data = seq;
	return private;
}

int seq_release_private(struct inode *inode, struct file *file)
{
	struct seq_file *seq = file->private_data;

	kfree(seq->private);
	kfree(seq);
	return 0;
}

/* Up to @lines lines from *pos on; false: there are no more */
static bool read_lines(struct seq_file *seq, loff_t *pos, int lines)
{
	void *object = seq->op->start(seq, pos);

	while (object) {
		if (seq->op->show(seq, object))
			break;
		object = seq->op->next(seq, object, pos);
		if (!--lines)
			break;
	}
	seq->op->stop(seq, object);
	return object;
}

char *shim_read_proc(const char *path, int lines)
{
	size_t size = PAGE_SIZE, length = 0;
	char *text = malloc(size);
	struct inode inode = { .data = entry.data };
	struct file file = {};
	struct seq_file *seq;
	loff_t pos = 0;
	bool more;

	if (!entry.path || strcmp(entry.path, path) || !text)
		SHIM_DIE("no file %s in /proc", path);
	if (entry.ops->proc_open(&inode, &file)) {
		free(text);
		return NULL;
	}
	seq = file.private_data;
	do {
		text = realloc(text, size += lines * 256);
		if (!text)
			SHIM_DIE("no memory");
		seq->text = text + length;
		seq->size = size - length;
		seq->length = 0;
		more = read_lines(seq, &pos, lines);
		length += seq->length;
	} while (more);
	entry.ops->proc_release(&inode, &file);
	text[length] = 0;
	return text;
}

/*
 * Deferred work
 */

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static struct work_struct *works;

void schedule_work(struct work_struct *work)
{
	pthread_mutex_lock(&work_lock);
	if (!work->pending) {
		work->pending = true;
		work->next = works;
		works = work;
	}
	pthread_mutex_unlock(&work_lock);
}

static struct work_struct *take_work(struct work_struct *wanted)
{
	struct work_struct **link, *work;

	pthread_mutex_lock(&work_lock);
	link = &works;
	while (wanted && *link && *link != wanted)
		link = &(*link)->next;
	work = *link;
	if (work) {
		*link = work->next;
		work->pending = false;
	}
	pthread_mutex_unlock(&work_lock);
	return work;
}

static pthread_mutex_t work_running = PTHREAD_MUTEX_INITIALIZER;

void shim_run_work(void)
{
	struct work_struct *work;

	pthread_mutex_lock(&work_running);
	while ((work = take_work(NULL)))
		work->func(work);
	pthread_mutex_unlock(&work_running);
}

void cancel_work_sync(struct work_struct *work)
{
	/* Whoever runs work has finished when this lock is free */
	pthread_mutex_lock(&work_running);
	take_work(work);
	pthread_mutex_unlock(&work_running);
}

unsigned long shim_find_bit(const unsigned long *addr, unsigned long size,
			    unsigned long start, unsigned long flip)
{
	unsigned long word;

	while (start < size) {
		word = (READ_ONCE(addr[BIT_WORD(start)]) ^ flip) >>
			(start % BITS_PER_LONG);
		if (word)
			return min(start + __ffs(word), size);
		start = round_up(start + 1, BITS_PER_LONG);
	}
	return size;
}
