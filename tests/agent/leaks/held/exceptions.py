"""Exceptions that are kept, and with them the variables of where they were raised."""

from __future__ import annotations

from dataclasses import dataclass

from ..common import STEPS, job


def by_kept_exceptions():
    """graph-held | errors | replaced"""
    step, errors = job(), []

    def check():
        loss = step()
        raise ValueError(str(loss.shape))

    for _ in range(STEPS):
        try:
            check()
        except ValueError as error:  # noqa: PERF203  - as it is written
            errors.append(error)  # <-


def by_exceptions_caught_below_the_step():
    """graph-held | errors | replaced"""
    step, errors = job(), []

    def check(value):
        try:
            raise ValueError(value)  # noqa: TRY301  - as it is written
        except ValueError as error:
            errors.append(error)  # <-

    def trained():
        loss = step()
        check(loss.item())

    for _ in range(STEPS):
        trained()


class Diary:
    def __init__(self):
        self.entries = []


class Keeper:
    def __init__(self):
        self.diary = Diary()

    def note(self, error):
        self.diary.entries.append(error)  # <- graph-held, by an exception of another's attribute


def by_exceptions_in_anothers_attribute():
    """graph-held | keeper.diary.entries | words"""
    step, keeper = job(), Keeper()

    def check():
        loss = step()
        raise ValueError(str(loss.shape))

    for _ in range(STEPS):
        try:
            check()
        except ValueError as error:  # noqa: PERF203  - as it is written
            keeper.note(error)


@dataclass
class Incident:
    number: int
    cause: Exception


def by_exceptions_in_records():
    """graph-held | incidents | before"""
    step, incidents = job(), []

    def check():
        loss = step()
        raise ValueError(str(loss.shape))

    for number in range(STEPS):
        try:
            check()
        except ValueError as error:  # noqa: PERF203  - as it is written
            incident = Incident(number, error)
            incidents.append(incident)  # <-


class Spike(Exception):
    def __init__(self, height):
        super().__init__("too high")
        self.height = height


def by_exceptions_that_carry_what_they_tell_of():
    """graph-held | spikes | replaced"""
    step, spikes = job(), []

    def looked_at(loss):
        raise Spike(loss)

    for _ in range(STEPS):
        try:
            looked_at(step())
        except Spike as spike:  # noqa: PERF203  - as it is written
            spikes.append(spike)  # <-


class NotFinite(Exception):
    """Says no more than what it is."""


def by_exceptions_made_with_what_they_tell_of():
    """graph-held | skipped | replaced"""
    step, skipped = job(), []

    def looked_at(loss):
        raise NotFinite("skipped", loss)

    for _ in range(STEPS):
        try:
            looked_at(step())
        except NotFinite as error:  # noqa: PERF203  - as it is written
            skipped.append(error.with_traceback(None))  # <-
