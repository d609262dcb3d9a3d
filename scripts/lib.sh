# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Shared by the scripts; sourced, not run.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # used by those who source this
build=$top/build

say() {
	printf '%s\n' "$*" >&2
}

die() {
	local status=$1
	shift
	say "${0##*/}: $*"
	exit "$status"
}

# Free space of the file system that holds $1, in MiB.
free_mib() {
	df -Pm "$1" | awk 'NR == 2 { print $4 }'
}

need_disk() {
	local dir=$1 mib=$2 what=$3 free

	free=$(free_mib "$dir")
	[ "$free" -ge "$mib" ] ||
		die 2 "$what needs $mib MiB in $dir, $free are free"
}

# Hold the lock file $1 until this script ends; say so when that means waiting.
lock() {
	local file=$1 fd

	mkdir -p "${file%/*}"
	exec {fd}>"$file"
	flock -n "$fd" && return
	say "waiting for another build ($file)"
	flock "$fd"
}
