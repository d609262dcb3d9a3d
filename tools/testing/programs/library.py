#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Debian's python3-sysv-ipc: processes count under a semaphore, each with
SEM_UNDO, and one ends as its holder; then a time limit, a message, a removal.
"""
import os
import sysv_ipc

WORKERS = 4
ROUNDS = 300

mutex = sysv_ipc.Semaphore(None, sysv_ipc.IPC_CREX, initial_value=1)
mutex.undo = True
counter = sysv_ipc.SharedMemory(None, sysv_ipc.IPC_CREX, size=4096)
counter.write(b"0".ljust(20))


def work(number):
    for done in range(ROUNDS):
        mutex.acquire()
        counter.write(str(int(counter.read(20)) + 1).encode().ljust(20))
        if number == 0 and done == ROUNDS - 1:
            return
        mutex.release()


workers = []
for worker in range(WORKERS):
    child = os.fork()
    if child == 0:
        work(worker)
        os._exit(0)
    workers.append(child)
failed = sum(os.waitpid(child, 0)[1] != 0 for child in workers)
print(f"failed: {failed}, counted: {int(counter.read(20))}, value {mutex.value}")

mutex.acquire(timeout=0.01)
try:
    mutex.acquire(timeout=0.01)
except sysv_ipc.BusyError:
    print("busy")
queue = sysv_ipc.MessageQueue(None, sysv_ipc.IPC_CREX)
queue.send(b"text", type=3)
print(queue.receive(type=3))
for thing in (mutex, counter, queue):
    thing.remove()
try:
    mutex.acquire()
except sysv_ipc.ExistentialError:
    print("gone")
