"""What a statement stores, and the way from that to the tensor in it. Pure."""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import put_call
from gradwatch_agent.source.flow.drawing import is_element
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.targets import updated

ASSIGNING: Final = ("assign", "augment", "bind")
"""How a statement stores, where it gives a name something; else it calls what puts it in."""

_AT_A_PLACE: Final = ("append", "appendleft", "insert")


def stored(store: Store) -> ast.expr | None:
    """What the statement stores."""
    if store.value is not None:
        return store.value
    call = None if store.how in ASSIGNING else put_call(store)
    if call is not None:
        return as_attribute(store, call) or (call.args[-1] if call.args else None)
    match store.node:
        case ast.Assign(targets=[ast.Tuple(elts=into)], value=ast.Tuple(elts=values)):
            pairs = zip(map(ast.unparse, into), values, strict=False)
            return next((value for target, value in pairs if target == store.target), None)
    return getattr(store.node, "value", None)


def as_attribute(store: Store, call: ast.Call) -> ast.expr | None:
    """What `self.__dict__.update(x=1)` gives the attribute."""
    every = updated(call)
    return next((value for target, value in every if ast.unparse(target) == store.target), None)


def inner_labels(kept: Kept, store: Store) -> tuple[str, ...]:
    """The way from the value that is stored on to the tensor in it."""
    passed = f".{store.target.rpartition('.')[2]}"
    if passed in kept.labels and passed != f".{kept.name}":
        within = kept.labels[kept.labels.index(passed) + 1 :]
        into_it = store.how in _AT_A_PLACE and within[:1] and within[0].startswith("[")
        return within[1:] if into_it else within
    into = store.keys
    if store.how in ASSIGNING and into < len(kept.own_keys) and _names_it(kept, store):
        return (*kept.own_keys[into:], *kept.labels)
    at_a_place = store.how in _AT_A_PLACE or store.named
    if at_a_place and len(kept.own_keys) > into + 1 and _names_it(kept, store):
        return (*kept.own_keys[into + 1 :], *kept.labels)
    keys = into - len(kept.own_keys)
    keys = max(keys, _keys_before(kept, store), _keys_to_its_own(kept, store), 0)
    whole = store.how in ASSIGNING or (kept.of_one and store.how == "set")
    return kept.labels[keys + (not whole) :]


def _names_it(kept: Kept, store: Store) -> bool:
    """Whether it gives the name itself something else, not what lies under a key of it."""
    return store.target.partition("[")[0].rpartition(".")[2] == kept.name


def _keys_to_its_own(kept: Kept, store: Store) -> int:
    """How many keys lead to the constant one that it stores under: of `opt.state[p]["m"]` two,
    though the statement be `state["m"] = m`.
    """
    own = f"[{store.key}]"
    at_once = store.how in ("assign", "augment") and store.key is not None
    return kept.labels.index(own) + 1 if at_once and own in kept.labels else 0


def _keys_before(kept: Kept, store: Store) -> int:
    """How many keys lead to the list that is added to, `rows = table[k]; rows.append(x)`, or to the
    element that is given anew, `for row in self.rows: row[i] = x`.
    """
    if store.how in ASSIGNING and store.keys:
        name = store.target.partition("[")[0]
        drawn = name.isidentifier() and is_element(store.file, store.line, name, kept.name)
        return store.keys + 1 if drawn else 0
    if store.how not in _AT_A_PLACE:
        return 0
    own = store.target.partition("[")[0].rpartition(".")[2] == kept.name
    within = not own and is_element(store.file, store.line, store.target, kept.name)
    return max(kept.keyed, int(within))
