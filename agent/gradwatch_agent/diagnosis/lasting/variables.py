"""Whether what a name stands for may stand from one iteration to the next. By the source."""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.frames import line_of
from gradwatch_agent.source.flow.carrying import is_reborn
from gradwatch_agent.source.syntax.places import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import classes_named


def may_last(path: Path, anew: Anew = frozenset()) -> bool:
    """Whether the name may stand from one iteration to the next: not a variable of a function that
    is called anew for each, which gives it a value once, nor one that each round of a loop gives a
    new value before it reads it; nor an attribute of an object that is made so.
    """
    root = path.root
    if path.attribute:
        return root.attribute or not _is_a_new_object(root, anew)
    found = candidates(root)
    if (found or not path.steps) and is_variable_of(root, anew):
        return False
    if path.line and not path.steps and found and not any(_is_stored_again(s, root) for s in found):
        return False
    return not is_given_anew(root, found)


def _is_a_new_object(root: Path, anew: Anew) -> bool:
    """Whether each iteration makes it, of a class of the program's."""
    made = [getattr(store.node, "value", None) for store in candidates(root)]
    calls = [called(each) for each in made if isinstance(each, ast.Call)]
    own = len(calls) == len(made) and all(any(classes_named(k, own_files())) for k in calls)
    return bool(made) and own and is_made_anew(root, anew)


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
