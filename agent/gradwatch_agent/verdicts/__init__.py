"""From evidence to findings: one pure fold, the same live, on a replay and in the tests.

Each detector keeps its own evidence and has a case or none; `detectors` weighs them against each
other (cause before symptom: one fault gives one finding), and `verdict` turns what changed into
findings. Must not know torch, clocks, sockets or files.
"""

from gradwatch_agent.verdicts.case import Answer, Case
from gradwatch_agent.verdicts.verdict import Verdicts

__all__ = ["Answer", "Case", "Verdicts"]
