"""What a host says of the jobs there: a shell script that tells it, and what its lines mean.

Owns the script for the far side, which has nothing but a POSIX shell and the run files, and the
reading of what it prints. Must not know ssh. Pure.

Each second it prints a line for each run file it trusts (as `runfile.running` does: a directory
of the user's own, closed to others), then one that says that these were all:

    gradwatch-job <tab> directory <tab> run file <tab> the kernel's line on the process, or nothing
    gradwatch-end
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from gradwatch_agent import runfile
from gradwatch_agent.runfile import RunFile

SCRIPT: Final = r"""
LC_ALL=C; export LC_ALL
user=$(id -u)
tell() {
    for place do
        set -- $(ls -ldn "$place" 2>/dev/null)
        case $1 in drwx------*) ;; *) continue ;; esac
        [ "$3" = "$user" ] || continue
        for file in "$place"/*.json; do
            [ -f "$file" ] && [ ! -h "$file" ] || continue
            entry=; IFS= read -r entry <"$file"
            pid=${entry#*'"pid":'}; pid=${pid%%[!0-9]*}
            [ -n "$pid" ] || continue
            process=
            if [ -r /proc/self/stat ]; then
                { IFS= read -r process <"/proc/$pid/stat"; } 2>/dev/null
            elif kill -0 "$pid" 2>/dev/null; then
                process=runs
            fi
            printf 'gradwatch-job\t%s\t%s\t%s\n' "$place" "$entry" "$process"
        done
    done
}
while :; do
    if [ -n "$GRADWATCH_RUN_DIR" ]; then
        tell "$GRADWATCH_RUN_DIR"
    else
        tell "${XDG_RUNTIME_DIR:-/nowhere}/gradwatch" "/run/user/$user/gradwatch" \
            "/tmp/gradwatch-$user" "${TMPDIR:-/tmp}/gradwatch-$user"
    fi
    printf 'gradwatch-end\n' || exit
    sleep 1
done
"""
"""Whatever the login shell is, this is read by `sh`. It ends when nobody reads it any more."""

LONGEST: Final = runfile.MAX_BYTES + 8_192
"""Bytes of a line that are read."""

_JOBS: Final = 1_024
"""Taken from one listing; a machine has some."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The jobs of one host at one moment."""

    running: tuple[RunFile, ...] = ()
    ended: tuple[RunFile, ...] = ()
    """Those whose process is gone, though it had no time to say so."""
    stopped: frozenset[str] = frozenset()
    """The runs among the running whose process a signal has stopped."""


def listings(lines: Iterable[bytes]) -> Iterator[Listing]:
    """One for each round of the script; what a shell's own start-up prints is passed over."""
    jobs: dict[str, tuple[RunFile, str]] = {}
    for line in lines:
        word, *rest = line.rstrip(b"\n").split(b"\t", 3)
        if word == b"gradwatch-end":
            yield _listing(jobs)
            jobs = {}
        elif word == b"gradwatch-job" and len(rest) == 3 and len(jobs) < _JOBS:
            _, data, process = rest
            if entry := _entry(data):
                jobs[entry.run] = entry, process.decode(errors="replace")


def _listing(jobs: dict[str, tuple[RunFile, str]]) -> Listing:
    ordered = sorted(jobs.values(), key=lambda job: (job[0].started, job[0].rank, job[0].pid))
    return Listing(
        tuple(entry for entry, process in ordered if _runs(entry, process)),
        tuple(entry for entry, process in ordered if not _runs(entry, process)),
        frozenset(entry.run for entry, process in ordered if _is_stopped(process)),
    )


def _entry(data: bytes) -> RunFile | None:
    """Its name is what it says itself: the script does not tell the file's."""
    try:
        name = msgspec.json.decode(data, type=RunFile).run
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return runfile.parse(data, name)


def _runs(entry: RunFile, process: str) -> bool:
    if process == "runs" or not entry.ticks:
        return bool(process)
    return runfile.process_ticks(process) == entry.ticks


def _is_stopped(process: str) -> bool:
    """Of the kernel's line: behind the name, which may contain anything, stands the state."""
    return process.rpartition(") ")[2].startswith("T")
