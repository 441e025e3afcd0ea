"""The report of a check: what was found, one after another.

Owns the text. Pure but for reading the source lines it shows.
"""

from __future__ import annotations

from gradwatch_agent.reporting import told
from gradwatch_agent.verdicts.case import plural
from gradwatch_agent.wire import Finding


def report(
    script: str, iterations: int, findings: list[Finding], over: list[Finding], *, failed: bool
) -> str:
    """The whole report of a check. `over`: what was raised and turned out bounded."""
    parts = [f"{script}: {_seen(iterations, len(findings), failed=failed)}", *map(told, findings)]
    parts += [f"{finding.kind} · resolved\n{finding.message}" for finding in over]
    return "\n\n".join(parts)


def _seen(iterations: int, findings: int, *, failed: bool) -> str:
    if not iterations and not findings:
        if failed:
            return "failed before its first iteration ended; nothing was checked"
        return "no training iteration was seen; nothing was checked"
    ran = plural(iterations, "iteration")
    return f"{ran}, {plural(findings, 'finding') if findings else 'nothing found'}"
