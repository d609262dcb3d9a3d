<?php
// SPDX-License-Identifier: GPL-2.0
// usage: php mutex.php WORKERS ROUNDS
// Processes add to a counter in a file under one semaphore: none is lost.

if ($argc != 3 || !ctype_digit($argv[1]) || !ctype_digit($argv[2])) {
	fprintf(STDERR, "usage: php mutex.php WORKERS ROUNDS\n");
	exit(2);
}
[, $workers, $rounds] = $argv;
$file = tempnam(sys_get_temp_dir(), 'mutex');
file_put_contents($file, '0');
$mutex = sem_get(ftok($file, 'm'), 1, 0600, true);
for ($i = 0; $i < $workers; $i++) {
	if (pcntl_fork())
		continue;
	for ($n = 0; $n < $rounds; $n++) {
		if (!sem_acquire($mutex))
			exit(1);
		$count = (int)file_get_contents($file);
		file_put_contents($file, $count + 1);
		if (!sem_release($mutex))
			exit(1);
	}
	// One that ends as a holder: SEM_UNDO is to release it.
	exit(sem_acquire($mutex) ? 0 : 1);
}
$failed = 0;
while (pcntl_wait($status) > 0)
	$failed += $status != 0;
echo "failed: $failed, counted: ", file_get_contents($file), "\n";
var_dump(sem_acquire($mutex, true), sem_acquire($mutex, true));
sem_remove($mutex);
unlink($file);
