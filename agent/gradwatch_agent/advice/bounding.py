"""For what only grows, with no graph in it: how to bound it. Pure."""

from __future__ import annotations

from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.source.stored.listing import is_cut_or_joined, is_sorted
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.verdicts.case import amount

LAGGING: Final = "tee"
"""What an iterator is whose other half has gone ahead."""


def lags_behind(kept: Kept) -> str:
    """What it keeps, and what to do first."""
    return (
        f"`{kept.expression}` lags behind the iterator that it was split from, and itertools.tee "
        "keeps for it all that the other one has taken: advance them in step,"
    )


def bound(kept: Kept, count: int, *, limited: bool = False, made: Store | None = None) -> str:
    """For a container that only grows, with no graph in it; `limited`: to a length of its own;
    `made`: the statement that makes it, of a plain list; of one that must stay a list it is not to
    become a deque.
    """
    if LAGGING in kept.kinds:
        return f"{lags_behind(kept)} or give each a source of its own."
    if limited:
        return (
            f"`{kept.expression}` fills up to its maxlen ({count:,} elements by now): if that is "
            "too much for this machine, give it a smaller one."
        )
    return (
        f"Bound `{kept.expression}` ({count:,} elements by now): keep numbers instead of "
        f"tensors, drop what is {_shorter(kept, made)}, or write it to disk."
    )


def _shorter(kept: Kept, made: Store | None) -> str:
    if is_sorted(kept.name, kept.files):
        return f"not needed (`del {kept.expression}[n:]`)"
    if is_cut_or_joined(kept.name, kept.files):
        return f"old (`del {kept.expression}[:-n]`)"
    if made is not None:
        return f"old (`{made.target} = deque(maxlen=...)` in line {made.line})"
    return "old (deque(maxlen=...))"


def let_go_early(keeper: str, count: int) -> str:
    """For an object of another's class that keeps what it is given, with no graph in it."""
    return (
        f"`{keeper}` keeps what it is given ({count:,} things by now): have it let go of each "
        "where its use ends (its close, clear or flush; or a new one for each iteration), or "
        "give it numbers instead of tensors."
    )


def keep_of_it(name: str, size_bytes: int) -> str:
    """For one block of memory that is made longer and longer."""
    return (
        f"`{name}` has come to {amount(size_bytes)}: keep of it what is still needed (the newest "
        "rows, a sum, a count), or write it to disk and begin anew."
    )


def name_the_same(owner: str, count: int) -> str:
    """For an object that is given attributes by names made up at run time, or a module parts."""
    return (
        f"`{owner}` is given one thing after another, each by a name of its own ({count:,} "
        "tensors by now): keep the newest by one name, keep numbers, or delete what is old."
    )


def cut_the_list(link: str, count: int) -> str:
    """For a linked list that only becomes longer."""
    return (
        f"`{link}` leads from one to the next ({count:,} or more by now): set it to None behind "
        "the last that is needed, or keep numbers instead of tensors."
    )


def remove_hooks() -> str:
    """For hooks that are registered again and again."""
    return "Remove each hook after its use (handle.remove()), or register it only once."
