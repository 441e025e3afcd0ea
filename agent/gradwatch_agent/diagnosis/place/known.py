"""What is known of a graph that a name leads to, and of it what advice needs to know."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import torch

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.diagnosis.place.beginning import (
    begins_with_none,
    has_no_keys,
    is_full_of_nothing,
    is_nothing,
    may_be_none,
)
from gradwatch_agent.diagnosis.place.stored import spoken
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import Path, inside, own_files
from gradwatch_agent.naming.lookups import (
    are_unlike,
    containers_in,
    is_left_alone,
    is_partly,
    kinds_beside,
    value_at,
)
from gradwatch_agent.source.flow.emptying import is_emptied_by_key
from gradwatch_agent.source.gradients.differentiated import differentiated, differentiated_around
from gradwatch_agent.source.stored.defaults import default_of
from gradwatch_agent.source.stored.frozen import is_frozen
from gradwatch_agent.source.stored.stores import Store, given_at
from gradwatch_agent.source.syntax.reading import speaks_of
from gradwatch_agent.source.syntax.statements import is_within, statements_of
from gradwatch_agent.torch_seam.views import bytes_of

_TRACEBACK: Final = "traceback"
"""What `via` speaks of where an exception keeps it."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a graph that a name leads to."""

    path: Path
    """To the thing that keeps it."""
    example: Path
    """On to one of the tensors in it."""
    scalar: bool = False
    """Whether that is a single number."""
    by_tensor: bool = True
    """Whether it is a tensor at all that leads to the graph, not a node."""
    made: tuple[Site, ...] = ()
    used: tuple[Site, ...] = ()
    beneath: frozenset[Lines] = frozenset()
    """Where it was made and what it was made of."""
    link: str = ""
    """The attribute by which what it keeps is linked, one to the next."""
    averaged: bool = False
    """Whether it is not handed on itself, but what each iteration makes of it."""
    leaf: bool = False
    """Whether its gradient is kept (`retain_grad()`): it is trained."""
    lone: bool = False
    """Whether the loss trains by what is carried over, and by nothing else."""
    renewed: bool = False
    """Whether the loss reaches all that lies in the container, this iteration's too."""
    through: bool = False
    """Whether the loss goes through what the same iteration has put in its place, or beside it."""
    needed: bool = False
    """Whether weights that are to be stepped are reached by way of what is old alone."""
    sole: bool = False
    """Whether the loss trains by what is carried over, by this or any other name, and by nothing
    else."""
    only: bool = False
    """Whether some weights are trained by what lies in the container alone."""
    walked: bool = True
    """Whether the backward goes back beyond the nodes of the last iteration that it reaches."""
    apart: bool = False
    """Whether nothing that lies in the container was made of anything else there."""
    constant: str = ""
    """Why the loss needs no gradient of it, in words, if that is known."""
    freed: bool = False
    """Whether an earlier backward has freed it."""
    taught: bool = False
    """Whether weights have made its successor of it, by the statement that reads it."""
    copied: bool = False
    """Whether it is a copy of leaves, and nothing was computed of them."""
    late: bool = False
    """Whether it was noticed well after training had begun."""
    parts: tuple[str, ...] = ()
    """The attributes (".mean") by which it carries graphs, where they are several."""
    beside: tuple[str, ...] = ()
    """The last steps, as code, to all that carries graphs where the example does."""
    within: str = ""
    """The one step, as code, to the part of it in which all lies that carries graphs."""
    within_beside: tuple[tuple[str, str], ...] = ()
    """The attributes there that are dicts or lists of such, each with its kind."""

    keys: tuple[str, ...] = ()
    """The elements of a container, as code, that keep as much as another."""
    in_loop: str = ""
    """How the function that goes from one iteration to the next says it, if it can."""
    elsewhere: str = ""
    """Whose variable it is, "function" or "module", where that one can give it nothing."""


def _is_hidden(steps: list[Path]) -> bool:
    """Whether, once the way is within an element, it leads on over what no user could write."""
    labels = [step.label for step in steps]
    within = next((place for place, label in enumerate(labels) if label), len(labels))
    return "" in labels[within:]


def is_leaf(known: Known, found: list[Store]) -> bool:
    """Whether gradients are wanted with respect to it, by the source."""
    example = known.example
    keys = {step.label for step in example.back() if step.label[:1] == "["}
    given = (each for store in found for each in _led_to(store.node, keys))
    if any(
        speaks_of(each, "requires_grad", "requires_grad_") and not _wants_none(each)
        for each in given
    ):
        return True
    names = {example.name, example.code.strip("[]").partition(":")[2]}
    names |= {f"{example.name}{key}" for key in keys}
    names.add(example.name.lstrip("_"))  # as properties and descriptors hand it out
    if not names.isdisjoint(differentiated(own_files())):
        return True
    stored = ((store, getattr(store.node, "value", None)) for store in found)
    return any(
        isinstance(value, ast.Name) and value.id in differentiated_around(store.file, store.line)
        for store, value in stored
    )


def _wants_none(node: ast.AST) -> bool:
    """Whether it says that no gradient is wanted: `nn.Parameter(rows, requires_grad=False)`."""
    words = (part for part in ast.walk(node) if isinstance(part, ast.keyword))
    return any(
        word.arg == "requires_grad"
        and isinstance(word.value, ast.Constant)
        and not word.value.value
        for word in words
    )


def _led_to(statement: ast.stmt, keys: Collection[str]) -> list[ast.AST]:
    """What the statement stores under one of the keys, of a dict that is made on the spot; else the
    whole statement.
    """
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Dict) or not all(isinstance(k, ast.Constant) for k in value.keys):
        return [statement]
    pairs = zip(value.keys, value.values, strict=True)
    return [part for key, part in pairs if f"[{ast.unparse(key)}]" in keys]  # type: ignore[arg-type]


def _spelled(found: list[Store]) -> set[str]:
    """The keys with which the statements that store make a dict on the spot."""
    made = (node for store in found for node in ast.walk(store.node) if isinstance(node, ast.Dict))
    return {f"[{key.value!r}]" for d in made for key in d.keys if isinstance(key, ast.Constant)}


def _beside(known: Known, spelled: Collection[str] = ()) -> set[type]:
    """What lies in the collections that a name stands for where the tensor does; of dicts that are
    made with keys that are `spelled`, under its own key.
    """
    steps = list(known.example.back())
    named = next((i for i, step in enumerate(steps) if step.label[:1] not in ("[", "(")), 0)
    if [step.label[:1] for step in steps[named : named + 2]] == [".", "["]:
        named += 2  # what its like in the same container keep by that attribute
    way = steps[named::-1]
    unnamed = any(step.label in ("", "[...]") for step in way)
    return kinds_beside(way, spelled) if not unnamed else set()


def _parameters_of(known: Known) -> tuple[str, ...]:
    """Of a distribution of torch's whose attribute the tensor is, what one makes it of: it may have
    worked out others from these, and keeps them.
    """
    example = known.example
    if "Distribution" not in example.owners or example.parent is None:
        return ()
    if known.path is not example and known.path is not example.parent:
        return ()
    whole = value_at(example.parent)
    named = inside.of_class(type(whole)).get("arg_constraints")
    own = inside.own_attributes(whole)
    names = [name for name in named if name in own] if type(named) is dict else []
    if {"logits", "probs"} <= set(names):
        return ("logits",)
    trained = [name for name in names if getattr(own[name], "requires_grad", False)]
    return tuple(names) if len(trained) > 1 else ()


def _is_single(known: Known) -> bool:
    """Whether it leads to a tensor that is one number."""
    thing = value_at(known.example)
    return issubclass(type(thing), torch.Tensor) and not thing.dim()


def _weight(known: Known) -> int:
    """Of a tensor that it leads to, in bytes; of all else none."""
    thing = value_at(known.example)
    return bytes_of(thing)[0] if issubclass(type(thing), torch.Tensor) else 0


def _maker(known: Known) -> str:
    """The assignment that made it, as code; empty where it was none, or is not noted."""
    for site in known.made[:1]:
        all_there = [s for s in statements_of(site.file, site.line) if is_within(s, site.line)]
        if len(all_there) == 1 and isinstance(all_there[0], ast.Assign):
            return ast.unparse(all_there[0])
    return ""


def kept(known: Known, found: list[Store]) -> Kept:
    """What advice needs to know of the thing."""
    behind: list[Path] = []
    for step in known.example.back():
        if step is known.path or (step.expression == known.path.expression and not step.index):
            break
        behind.append(step)
    behind.reverse()
    root, last = known.example.root, next(s for s in known.example.back() if s.label)
    function = [] if known.path in behind or root.behind is None else root.behind.back()
    closed = root.name if any(step is known.path for step in function) else ""
    kinds, alike = _beside(known), _beside(known, _spelled(found))
    own_keys = tuple(
        s.label for s in known.path.back() if s.label[:1] == "[" and s.name == known.path.name
    )[::-1]
    return Kept(
        expression=known.in_loop or spoken(known.path),
        files=tuple(own_files()),
        stores=tuple(found),
        name=known.path.name,
        kinds=tuple(k for step in (known.path, *behind) if (k := step.kind)),
        own_class=bool(known.path.classes),
        labels=tuple(step.code for step in behind if step.label),
        own_keys=own_keys,
        parts=known.parts,
        made_of=_parameters_of(known),
        parameter=issubclass(type(value_at(known.path)), torch.nn.Parameter),
        collections=tuple(containers_in(known.path, known.parts).items()) if known.parts else (),
        empty=any(map(is_nothing, found))
        or any(map(may_be_none, known.example.back()))
        or (bool(own_keys) and any(map(has_no_keys, found)))
        or begins_with_none(root, own_keys),
        frozen=known.example.attribute and is_frozen(known.example.owners, own_files()),
        beside=known.beside,
        within_beside=known.within_beside,
        keys=known.keys,
        mixed=not kinds.isdisjoint((int, float)),
        mixed_there=not alike.isdisjoint((int, float)),
        gaps=type(None) in kinds or any(map(is_full_of_nothing, found)),
        partly=any(is_partly(step) for step in (known.path, known.example.parent) if step),
        unlike=are_unlike(known.path),
        left=is_left_alone(known.path) and is_emptied_by_key(known.path.name, own_files()),
        scalar=known.scalar,
        single=_is_single(known),
        weight_bytes=_weight(known),
        leaf=known.leaf or is_leaf(known, found),
        lone=known.lone,
        renewed=known.renewed,
        through=known.through,
        sole=known.sole,
        needed=known.needed,
        within=known.within,
        only=known.only,
        constant=known.constant,
        freed=known.freed,
        taught=known.taught,
        late=known.late,
        in_loop=bool(known.in_loop),
        elsewhere=known.elsewhere,
        via=known.example.via,
        closed=closed,
        default=default_of(root.file, root.line, closed) if closed and root is last else None,
        hidden=_is_hidden(behind),
        wraps=bool(behind) and "".join(step.label for step in behind)[:1] in ("", "("),
        of_one=bool(behind) and not known.path.kind and not behind[0].label,
        behind=_TRACEBACK in known.example.via or not known.by_tensor,
        raised=any("BaseException" in step.owners for step in behind),
        maker=_maker(known),
        made_as=frozenset().union(*(given_at(site.file, site.line) for site in known.made)),
        caught=tuple(s.code for s in behind if s.label and _TRACEBACK not in s.via),
    )
