#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Perl's IPC::Semaphore: values, an operation on two of them, one that cannot
# go, a sleeper that is counted and woken.
use strict;
use warnings;
use IPC::SysV qw(IPC_PRIVATE IPC_CREAT IPC_NOWAIT S_IRUSR S_IWUSR);
use IPC::Semaphore;

my $set = IPC::Semaphore->new(IPC_PRIVATE, 10, S_IRUSR | S_IWUSR | IPC_CREAT)
	or die "no set: $!";
$set->setall(1 .. 10);
$set->setval(3, 77);
$set->op(2, -1, IPC_NOWAIT, 5, 3, 0);
print join(",", $set->getall), "\n";
print $set->stat->nsems, " semaphores, mode ", $set->stat->mode & 0777, "\n";
print $set->op(0, -5, IPC_NOWAIT) ? "done" : "refused: $!", "\n";

my $child = fork();
if (!$child) {
	$set->op(0, -1, 0);
	exit($set->op(0, -1, 0) ? 7 : 1);
}
select(undef, undef, undef, 0.001) while $set->getncnt(0) != 1;
print "waiting: ", $set->getncnt(0), " and ", $set->getzcnt(0), "\n";
print "last pid is ", $set->getpid(0) == $child ? "the child's" : "wrong", "\n";
$set->op(0, 1, 0);
waitpid($child, 0);
print "child: ", $? >> 8, "\n";
$set->remove or print "not removed: $!\n";
