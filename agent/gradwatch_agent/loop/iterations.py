"""Where an iteration ends. Pure: knows steps and backwards, no torch.

Owns the choice among the three kinds of boundary: the script's own mark; else an optimizer's
step; else the outermost backward. Several optimizers that take turns make one iteration of
several phases; several backwards before a step (gradient accumulation) make one.
"""

from __future__ import annotations

from gradwatch_agent.loop.doze import BY_HAND
from gradwatch_agent.wire import Call

_WAIT_FOR_STEP = 32
"""Backwards without a step after which an optimizer that exists is taken for unused, until it steps
after all.
"""

_CLEARED = 3
"""The same where gradients were cleared in between so many times: what clears them without a step
of the optimizer has most likely made one of its own. Losses whose gradients are compared are
seldom more."""

_IN_VAIN = 2
"""Waits for the backward that walks a graph of gradients after which none is taken to do so, until
one does after all: more inner steps of a meta-learner without an optimizer are seldom made."""

_TRAINED = 6
"""Gradients between which the weights were trained after which none is waited for, either: each of
a few models in turn goes to weights of its own, too."""

_STEPS_LOST = 1_024
"""Backwards since the last step after which stepping is taken for given up. Gradient
accumulation over more batches than this is not known to anyone."""

_TURNS = 16
"""Steps of other optimizers after which the closing one is taken for retired. Above the
critic's turns of a WGAN (5) and below its rare long warm-up (100)."""

_NEWCOMERS = 4
"""Only so many optimizers close by being new: inner ones made afresh in every iteration
(meta-learning) must not."""


class Iterations:
    """Says, event by event, whether an iteration has just ended."""

    def __init__(self) -> None:
        self._by_hand = False
        self._closer: int | None = None
        self._known: set[int] = set()
        self._newcomers = 0
        """Optimizers that closed by being new."""
        self._waited = False
        """Whether a first step was waited for, and did not come."""
        self._cleared = 0
        """How often gradients were cleared while it was."""
        self._backwards = 0
        """Since the last end."""
        self._other_steps = 0
        self._creates_alone = False
        self._in_vain = 0
        """How often in a row such a backward was waited for, and did not come."""
        self._trained = 0
        """How often weights were trained while it was."""

    def mark(self) -> bool:
        """The script says so itself; from now on only it decides."""
        self._by_hand = True
        return self._end()

    def backward(
        self,
        call: Call,
        *,
        create_graph: bool = False,
        optimizer_exists: bool = False,
        cleared: bool = False,
        trained: bool = False,
    ) -> bool:
        """An outermost backward has ended. `cleared`: somebody had cleared what the one before it
        had left in the gradients. `trained`: somebody had changed what the one before it went to.
        """
        self._backwards += 1
        if self._by_hand:
            return False
        if self._closer is not None:
            if self._backwards < _STEPS_LOST:
                return False
            self._closer, self._waited = None, True
        if optimizer_exists and not self._waited:
            self._cleared += cleared
            if self._backwards < _WAIT_FOR_STEP and self._cleared < _CLEARED:
                return False
            self._waited = True
        self._trained += trained
        if create_graph and self._backwards < self._patience(call):
            return False  # a part of something bigger: a penalty, an inner step
        self._in_vain = self._in_vain + 1 if create_graph else 0
        return self._end()

    def _patience(self, call: Call) -> int:
        """How many graphs of gradients in a row wait for the backward that walks them.

        backward() leaves its graph in .grad alone: where a second one comes with nothing in
        between, each is an iteration by itself.
        """
        if call == "grad":
            alone = self._in_vain >= _IN_VAIN or self._trained >= _TRAINED
            return 1 if alone else _WAIT_FOR_STEP
        if self._backwards > 1:
            self._creates_alone = True
        return 1 if self._creates_alone else _WAIT_FOR_STEP

    def step(self, optimizer: int, *, more: bool = False) -> bool:
        """An optimizer has stepped. One without a backward before it ends nothing; nor does the
        first step of one where `more` are to come, that train something else.
        """
        first_seen = self.is_new(optimizer)
        self._known.add(optimizer)
        if self._closer is None or (first_seen and self._newcomers < _NEWCOMERS):
            self._closer = optimizer
            self._newcomers += 1
        if self._by_hand or not self._backwards or (first_seen and more):
            return False
        if optimizer != self._closer:
            self._other_steps += 1
            retired = self._closer not in self._known and not first_seen
            if not retired and self._other_steps < _TURNS:
                return False
            self._closer = optimizer
        return self._end()

    def is_new(self, optimizer: int) -> bool:
        """Whether it has not stepped so far."""
        return optimizer not in self._known

    def begun(self) -> None:
        """There has been a backward in this iteration that was only counted."""
        self._backwards += 1

    @property
    def backwards(self) -> int:
        """Those of the iteration under way."""
        return self._backwards

    @property
    def closer(self) -> int | None:
        """The optimizer whose step ends an iteration; None: a backward; `BY_HAND`: a mark."""
        return BY_HAND if self._by_hand else self._closer

    def forget(self, optimizer: int) -> None:
        """That optimizer is gone."""
        self._known.discard(optimizer)

    def start_over(self) -> bool:
        """Another training may begin, by other means; not while optimizers that stepped live."""
        if self._known or self._closer is None:
            return False
        self._closer, self._waited = None, False
        return True

    def _end(self) -> bool:
        self._backwards = self._other_steps = 0
        return True
