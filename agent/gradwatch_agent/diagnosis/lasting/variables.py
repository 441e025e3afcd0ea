"""Whether what a name stands for may stand from one iteration to the next. By the source."""

from __future__ import annotations

from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.frames import line_of
from gradwatch_agent.source.flow.carrying import is_reborn
from gradwatch_agent.source.syntax.places import Store


def may_last(path: Path, anew: Anew = frozenset()) -> bool:
    """Whether the name may stand from one iteration to the next: not a variable of a function that
    is called anew for each, which gives it a value once, nor one that each round of a loop gives a
    new value before it reads it.
    """
    if path.attribute:
        return True
    root = path.root
    found = candidates(root)
    if (found or not path.steps) and is_variable_of(root, anew):
        return False
    if path.line and not path.steps and found and not any(_is_stored_again(s, root) for s in found):
        return False
    return not is_given_anew(root, found)


def is_made_anew(root: Path, anew: Anew) -> bool:
    """Whether each iteration gives the variable a thing of its own."""
    found = candidates(root) if not root.attribute else []
    return is_given_anew(root, found) or (bool(found) and is_variable_of(root, anew))


def is_given_anew(root: Path, found: list[Store]) -> bool:
    """Whether each round of a loop gives the variable a new value before it reads it."""
    return is_reborn(root.name, found, line_of(root.file, root.line))


def is_variable_of(root: Path, anew: Anew) -> bool:
    """Whether it is a variable of one of the functions itself, not one that these close over."""
    home = place_of(root)
    return root.behind is None and (home.file, home.scope) in anew


def _is_stored_again(store: Store, variable: Path) -> bool:
    return store.in_loop or store.function != variable.named.function
