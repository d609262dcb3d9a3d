# SPDX-License-Identifier: GPL-2.0
"""gdb command that shows System V semaphore sets of a live guest or a dump.

In gdb, with the vmlinux of a kernel built with debug information:

  source scripts/gdb/sem-show.py
  sem-show             a line for each set of the initial IPC namespace
  sem-show ID          one set: its semaphores that are not idle, who claims
                       them and who sleeps on them
  sem-show ID NSPROXY  the same in the namespace of a struct nsproxy *
"""
import gdb

BUSY, QUEUED, CLAIMED = 1 << 16, 1 << 17, 1 << 18
VALUE = 0xffff
PLAIN_TREES = ("zero", "plain", "mixed")


def pointer(type_name, address):
    return gdb.Value(address).cast(gdb.lookup_type(type_name).pointer())


def xa_entries(entry, node_type):
    """All objects below an xarray entry, in order of their index."""
    value = int(entry)
    if value & 3 == 2 and value > 4096:
        node = pointer(node_type, value - 2)
        for slot in range(node["slots"].type.range()[1] + 1):
            yield from xa_entries(node["slots"][slot], node_type)
    elif value and value & 3 == 0:
        yield value


def tree_nodes(node):
    """The nodes of a red-black tree in order."""
    if int(node):
        yield from tree_nodes(node["rb_left"])
        yield int(node)
        yield from tree_nodes(node["rb_right"])


def offset(type_name, field):
    return gdb.lookup_type(type_name)[field].bitpos // 8


def sets(namespace):
    ids = namespace["ids"][0]
    head = ids["ipcs_idr"]["idr_rt"]["xa_head"]
    for address in xa_entries(head, "struct xa_node"):
        yield pointer("struct sem_array", address - offset("struct sem_array", "sem_perm"))


def word_of(sem):
    return int(sem["state"]["counter"]) & (1 << 64) - 1


def flags(word):
    names = [(BUSY, "BUSY"), (QUEUED, "QUEUED"), (CLAIMED, "CLAIMED")]
    return " ".join(name for bit, name in names if word & bit)


def show_sleeper(slot, tree):
    op = slot["op"]
    task = op["task"]
    sops = []
    for i in range(int(op["nsops"])):
        sop = op["sops"][i]
        mark = "*" if i == int(op["blocking"]) else ""
        sops.append(f"{mark}{int(sop['sem_num'])}:{int(sop['sem_op']):+d}")
    print(f"      {tree}: pid {int(task['pid'])} ({task['comm'].string()}) "
          f"sops {' '.join(sops)} result {int(op['result'])}")


def show_set(sma):
    nsems = int(sma["nsems"])
    print(f"set {int(sma['sem_perm']['id'])} at {sma}: {nsems} semaphores, "
          f"removed {sma['removed']}")
    for num in range(nsems):
        sem = sma["sems"][num]
        word = word_of(sem)
        if not word & ~VALUE & (BUSY | QUEUED | CLAIMED) and not word & VALUE:
            continue
        print(f"  [{num}] value {word & VALUE} ncnt {int(sem['ncnt'])} "
              f"zcnt {int(sem['zcnt'])} claims {int(sem['claims'])} {flags(word)}")
        for tree in PLAIN_TREES:
            for node in tree_nodes(sem[tree]["rb_node"]):
                show_sleeper(pointer("struct sem_slot", node - offset("struct sem_slot", "node")), tree)


class SemShow(gdb.Command):
    """sem-show [ID [NSPROXY]]: System V semaphore sets, their claims and sleepers."""

    def __init__(self):
        super().__init__("sem-show", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        namespace = gdb.parse_and_eval("init_ipc_ns")
        if len(words) > 1:
            namespace = gdb.parse_and_eval(words[1])["ipc_ns"].dereference()
        if len(words) > 2:
            raise gdb.GdbError("sem-show takes an id and a struct nsproxy *, no more")
        found = False
        for sma in sets(namespace):
            perm = sma["sem_perm"]
            if not words:
                print(f"{int(perm['id'])} key 0x{int(perm['key']) & 0xffffffff:08x} nsems {int(sma['nsems'])}")
            elif int(perm["id"]) == int(words[0], 0):
                show_set(sma)
                found = True
        if words and not found:
            raise gdb.GdbError(f"no set has the id {words[0]}; sem-show lists them")


SemShow()
