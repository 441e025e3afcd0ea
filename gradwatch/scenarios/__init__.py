"""The catalog of scenarios: real training jobs out of three public threads, and their cures.

Owns what each is called, what happens when it is run, and what the monitor should say of it.
Must not import torch: the scripts beside this file do, in processes of their own.

The sources are a forum thread ("Trying to backward through the graph a second time", 000) and
two published answers ("How can I avoid freeing model buffers before a second backward pass in
PyTorch?", 001; "How to avoid 'Trying to backward through the graph a second time'?", 002).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["SCENARIOS", "TWINS", "Scenario", "find", "path"]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One script. Kinds of finding are those of the README's contract."""

    name: str
    source: str
    summary: str
    """The job, in a phrase."""
    truth: str
    """What happens when it is run, with no monitor in it."""
    expects: tuple[str, ...] = ()
    """Kinds of finding at warning or above; none for a healthy job."""
    twin: str | None = None
    """Name of the same job with the fault cured."""
    informs: tuple[str, ...] = ()
    """Kinds of finding at level info."""


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        name="carried-estimate",
        source="seeds/000",
        summary="`Yest = Yest + w*X` unrolled five times an iteration, Yest never reset",
        truth="The second backward raises: 10 of its 24 nodes are of the iteration before.",
        expects=("second-backward",),
        twin="carried-estimate-fixed",
    ),
    Scenario(
        name="carried-estimate-retained",
        source="seeds/000",
        summary="the same, its error silenced by retain_graph=True",
        truth="No error, but 14, 24, 34, 44... nodes, and each iteration slower than the last.",
        expects=("graph-chain",),
        twin="carried-estimate-fixed",
    ),
    Scenario(
        name="carried-estimate-fixed",
        source="seeds/000",
        summary="the same, unrolling a local name that starts from the buffer",
        truth="Healthy: 14 nodes for ever.",
    ),
    Scenario(
        name="rnn-hidden-state",
        source="seeds/000",
        summary="one recurrent step a call, the hidden state kept on the module",
        truth="The second backward raises; with --retain the loss reaches a step more each time.",
        expects=("second-backward",),
        twin="rnn-hidden-state-fixed",
    ),
    Scenario(
        name="total-loss",
        source="seeds/000",
        summary="`total_loss += loss` for the epoch's report",
        truth="No error, but the nodes of all iterations stay alive, their buffers freed.",
        expects=("graph-held",),
        twin="total-loss-fixed",
    ),
    Scenario(
        name="saved-states",
        source="seeds/000",
        summary="a window of hidden states kept for attention, the oldest sliced off each step",
        truth="No error with retain_graph=True, but the window bounds nothing: the graph grows.",
        expects=("graph-chain",),
        twin="saved-states-fixed",
    ),
    Scenario(
        name="bpr-indicator",
        source="seeds/000",
        summary="BPR loss on sampled negatives, a GRU state stored under an `update` flag",
        truth="24 iterations go well, the 25th stores the state, the 26th raises.",
        expects=("second-backward",),
        twin="bpr-indicator-fixed",
    ),
    Scenario(
        name="truncated-bptt",
        source="seeds/000",
        summary="backpropagation a limited number of steps, detached between windows",
        truth="Healthy: a window's nodes, for ever.",
    ),
    Scenario(
        name="two-backwards-one-step",
        source="seeds/001 ex.1",
        summary="backward(retain_graph=True), optimizer.step(), backward() again",
        truth="The in-place error, though the thread says it works; it does with --one-layer.",
        expects=("inplace-modified",),
        twin="two-backwards-one-step-fixed",
    ),
    Scenario(
        name="two-losses-retained",
        source="seeds/001 ex.2",
        summary="two forwards, two losses, retain_graph=True on the first",
        truth="No error, nothing grows; retain_graph is needless, for there are two graphs.",
        twin="two-losses-retained-fixed",
        informs=("retain-needless",),
    ),
    Scenario(
        name="detached-gradients",
        source="seeds/001 ex.3",
        summary="gradients cloned, detached, and used for a second step",
        truth="Healthy.",
    ),
    Scenario(
        name="triple-backward",
        source="seeds/002 a",
        summary="backward(retain_graph=True), backward(), backward()",
        truth="The third backward raises, though the thread says it accumulates.",
        expects=("second-backward",),
        twin="triple-backward-fixed",
    ),
    Scenario(
        name="detach-branch",
        source="seeds/002 b",
        summary="a detached branch, and backward() on it",
        truth='Raises "does not require grad", though the thread says no error.',
        expects=("crashed",),
        twin="detach-branch-fixed",
    ),
    Scenario(
        name="missing-zero-grad",
        source="seeds/002 c",
        summary="a training loop without zero_grad()",
        truth="No error, though the thread calls it the commonest cause of one: gradients add up.",
        twin="missing-zero-grad-fixed",
        informs=("grads-accumulate",),
    ),
)


def _cured(name: str, source: str, summary: str) -> Scenario:
    """A twin that is no scenario of its own."""
    return Scenario(name, source, summary, truth="Healthy.")


TWINS: tuple[Scenario, ...] = (
    _cured("rnn-hidden-state-fixed", "seeds/000", "the hidden state detached when it is kept"),
    _cured("total-loss-fixed", "seeds/000", "`total_loss += loss.item()`"),
    _cured("saved-states-fixed", "seeds/000", "the window detached before a step is taken from it"),
    _cured("bpr-indicator-fixed", "seeds/000", "the GRU state detached when it is stored"),
    _cured("two-backwards-one-step-fixed", "seeds/001 ex.1", "each step with its own forward"),
    _cured("two-losses-retained-fixed", "seeds/001 ex.2", "two losses, nothing retained"),
    _cured("triple-backward-fixed", "seeds/002 a", "all but the last backward retain the graph"),
    _cured("detach-branch-fixed", "seeds/002 b", "backward on the graph, not on the branch"),
    _cured("missing-zero-grad-fixed", "seeds/002 c", "a training loop with zero_grad()"),
)


def find(name: str) -> Scenario | None:
    """The scenario or twin of that name."""
    return next((s for s in (*SCENARIOS, *TWINS) if s.name == name), None)


def path(scenario: Scenario) -> Path:
    """Its script."""
    return Path(__file__).with_name(scenario.name.replace("-", "_") + ".py")
