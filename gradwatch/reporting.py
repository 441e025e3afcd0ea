"""The report of a check: what was found, one after another.

Owns the text. Pure but for reading the source lines it shows.
"""

from __future__ import annotations

from gradwatch_agent.reporting import told
from gradwatch_agent.wire import Finding


def report(script: str, iterations: int, findings: list[Finding], over: list[Finding]) -> str:
    """The whole report of a check. `over`: what was raised and turned out bounded."""
    ran = f"{iterations:,} iteration{'' if iterations == 1 else 's'}"
    if not findings:
        head = f"{script}: {ran}, nothing found"
    else:
        count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
        head = f"{script}: {ran}, {count}"
    parts = [head, *map(told, findings)]
    parts += [f"{finding.kind} · resolved\n{finding.message}" for finding in over]
    return "\n\n".join(parts)
