"""What a check saw, and what follows: the exit code, how the script's end is told, the JSON.

Pure but for a look at the script. Must not know how the script was run.
"""

from __future__ import annotations

import signal
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

from gradwatch.commands import errors
from gradwatch.reporting import Early, report
from gradwatch_agent import wire
from gradwatch_agent.verdicts.life import crashed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check saw. `status`: the script's, as subprocess tells it."""

    status: int
    iterations: int
    findings: list[wire.Finding]
    over: list[wire.Finding]
    """Raised, and resolved before the end."""
    stopped: bool = False
    """By the check, after the iterations asked for."""
    caught: bool = False
    """The script caught what was to stop it, and went on."""
    interrupted: bool = False
    """By whoever ran the check."""
    error: str | None = None
    """The exception that ended the script, as far as it is known."""

    @property
    def failed(self) -> bool:
        """The script ended with an error of its own."""
        return self.status != 0 and not self.stopped and not self.interrupted

    @property
    def code(self) -> int:
        """The exit code: a failure of the script's own counts unless a finding explains it."""
        if self.interrupted:
            return errors.INTERRUPTED
        grave = [f for f in self.findings if f.level != "info"]
        if self.failed and not any(f.kind != "crashed" or f.suggestion for f in grave):
            return errors.Failed.exit_code
        return errors.FINDINGS if grave else errors.NOTHING_FOUND

    def told(self, script: str) -> str:
        """The report for a person."""
        seen = self.iterations, self.findings, self.over
        return report(script, *seen, early=self._early(), end=self._end())

    def document(self, script: str) -> dict[str, object]:
        """The report for a program."""
        return {
            "script": script,
            "iterations": self.iterations,
            "findings": self.findings,
            "resolved": self.over,
            "exit_code": self.status if self.status >= 0 else 128 - self.status,  # as in a shell
            "error": self.error,
            "stopped": self.stopped,
            "caught": self.caught,
            "interrupted": self.interrupted,
        }

    def _early(self) -> Early | None:
        if self.interrupted:
            return "interrupted"
        if not self.failed:
            return "stopped" if self.stopped else None
        return "killed" if self.status < 0 else "failed"

    def _end(self) -> str:
        """How the script ended, where it failed; an error that a finding tells is not repeated."""
        if self.caught:
            return (
                "the script caught the SystemExit that was to stop it, by a bare `except:` or the "
                "like, and went on: what it did from there on, it does not do by itself"
            )
        if not self.failed:
            return ""
        if self.status < 0:
            return f"the script was ended by {_signal(-self.status)}"
        end = f"the script ended with exit code {self.status}"
        told = self.error is None or any(f.kind == "crashed" for f in self.findings)
        return end if told else f"{end}: {self.error}"


def error_in(findings: list[wire.Finding]) -> str | None:
    """The exception that a finding tells of, if it does no more than that."""
    for finding in findings:
        said = crashed(finding.iteration, "").message
        if finding.kind == "crashed" and finding.message.startswith(said):
            return finding.message.removeprefix(said)
    return None


def refused(script: str) -> str | None:
    """Why Python would not even begin with it: there was no agent yet to tell of that."""
    if not script.endswith(".py"):  # -m, or an archive
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(Path(script).read_bytes(), script, "exec", dont_inherit=True)
    except SyntaxError as error:
        return traceback.format_exception_only(error)[-1].strip()
    except (OSError, ValueError, RecursionError, MemoryError):
        pass
    return None


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time one
        return f"signal {number}"
