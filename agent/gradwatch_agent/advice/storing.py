"""A statement that stores a tensor, rewritten so that it stores no graph. Pure."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from gradwatch_agent.advice.changed import changed
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import (
    detached,
    detached_if_tensor,
    is_bare,
    number,
    parsed,
    plain_number,
    put_call,
)
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.whole import each_cut
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.gradients.graphless import is_given_tensors, may_be_a_number
from gradwatch_agent.source.stored.handing import is_handed, of_any_kind, of_many, of_parameters
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.stored.tensors import is_a_tensor, is_asked_what, uses_of_tensor

_ITS_OWN: Final = ("backward",)
"""What nobody asks of what may be a number at times: for the rest, he may ask first what it is."""

_OF_MANY: Final = ("extend", "extendleft")
"""Methods that put in what lies in something else."""

_STORE: Final = "Store it without its graph: "


def without_graph(kept: Kept, store: Store) -> str | None:
    """The statement, storing no graph; None if it is not to be told how."""
    code = _without_graph(kept, store) if not kept.hidden else None
    return code if code != ast.unparse(store.node) else None  # as it is, it stores one


def _without_graph(kept: Kept, store: Store) -> str | None:
    value = stored(store)
    lone = kept.scalar and not inner_labels(kept, store)
    if value is None or not lone:
        return changed(kept, store, lambda part: _cut(kept, store, part))
    adds = store.how == "augment" or (store.accumulates and store.how == "assign")
    if adds and not uses_of_tensor(store.file, kept.name):
        handed = is_handed(store.file, store.line, value)
        return changed(kept, store, plain_number if handed else number)
    among = (of_parameters, of_many) if adds else (of_many,)
    return changed(kept, store, lambda value: _cut(kept, store, value, *among))


def _cut(kept: Kept, store: Store, value: ast.expr, *among: Callable[..., set[str]]) -> ast.expr:
    """A part of what is stored, detached; where it may be a number at times, if it is none."""
    if kept.mixed_there and isinstance(value, ast.Subscript | ast.Attribute):
        whole = ast.unparse(value)
        return parsed(f"{whole}.detach() if hasattr({whole}, 'detach') else {whole}")
    among += (of_any_kind, *((of_parameters, of_many) if kept.mixed_there else ()))
    mixed = set().union(*(names(store.file, store.line, value) for names in among))
    if isinstance(value, ast.Name) and (
        kept.mixed_there or may_be_a_number(store.file, store.line, value.id, kept.files)
    ):  # wherever it comes from
        mixed.add(value.id)
    mixed = {name for name in mixed if not _is_tensor(kept, store, name)}
    return detached_if_tensor(value, mixed) if mixed else detached(value)


def _is_tensor(kept: Kept, store: Store, name: str) -> bool:
    """Whether the function asks the variable what only a tensor can answer, and of any kind; or is
    given nothing else by whoever calls it.
    """
    asked = _ITS_OWN if is_asked_what(store.file, store.line, name) else (*_ITS_OWN, "detach")
    if is_a_tensor(store.file, store.line, name, asked):
        return True
    return not kept.mixed_there and is_given_tensors(store.file, store.line, name, kept.files)


def is_at_store(advice: str | None) -> bool:
    """Whether it is to change the one statement that stores."""
    return advice is not None and advice.startswith(_STORE) and advice.count("`") == len("``")


def store_it(kept: Kept, store: Store, code: str, more: str = "") -> str:
    """The advice to store it as in that code; and so in the other statements at fault."""
    others = in_others(kept, store, lambda each: without_graph(kept, each), begun=_adds_on(code))
    return f"{_STORE}`{code}`{more}.{others}"


def _adds_on(code: str) -> bool:
    """Whether, changed so, it still adds to what is there: `avg = 0.9 * avg + 0.1 * x.detach()`."""
    try:
        changed_to = ast.parse(code).body[0]
    except SyntaxError:
        return False  # the head of a longer statement
    value = getattr(changed_to, "value", None)
    in_place = isinstance(changed_to, ast.AugAssign)
    return in_place or (isinstance(value, ast.BinOp) and not is_cut(value))


def in_others(
    kept: Kept, store: Store, change: Callable[[Store], str | None], *, begun: bool = False
) -> str:
    """The same said of the statements of the same function that store the same, as where a buffer
    is filled first, and overwritten later, or what keeps as much. `begun`: also of what it begins
    with, to which the others add.
    """
    told, words = {_place(store)}, ""
    for each in kept.stores:
        same = (each.file, each.function) == (store.file, store.function)
        first = begun and not each.fresh and (each.how, each.target) == ("assign", store.target)
        if same and _place(each) not in told and (first or _goes_along(kept, store, each)):
            told.add(_place(each))
            where = f"In line {each.line}" if each.line != store.line else "There"
            code = change(each)
            words += f" {where}, too: `{code}`." if code else ""
    return words


def _place(store: Store) -> tuple[int, int]:
    """Of the statement: one line may have several."""
    return store.line, store.node.col_offset


def detach_first(kept: Kept, store: Store, carried: str) -> str:
    """For objects that are put into a container, and carry graphs in their attributes."""
    call = put_call(store)
    value = call.args[-1] if call is not None and call.args else None
    whole = ast.unparse(value) if is_bare(value) and value is not None else ""
    many = store.how in _OF_MANY and whole
    owner, each_of = ("t", f"for t in {whole}: ") if many else (whole or "x", "")
    carrying = dict.fromkeys((carried, *(b for b in kept.beside if b[:1] == ".")))
    cut = [f"{owner}{each} = {owner}{each}.detach()" for each in carrying]
    for each, kind in kept.within_beside if len(kept.labels) == 2 else ():
        cut.append(f"{owner}{each} = {each_cut(f'{owner}{each}', (kind,), 0, _if_tensor)}")
    return f"Detach what it carries before it is stored there: `{each_of}{'; '.join(cut)}`."


def _if_tensor(name: str) -> str:
    return f"{name}.detach() if torch.is_tensor({name}) else {name}"


def detach_all_first(kept: Kept, store: Store) -> str | None:
    """The same where a list or dict in an attribute carries them: of a tensor in a list of those
    lists it is not to be told, nor where the object cannot be given anything.
    """
    call, inner = put_call(store), inner_labels(kept, store)
    value = call.args[-1] if call is not None and call.args else None
    if value is None or not is_bare(value) or kept.frozen or kept.hidden or len(inner) != 2:
        return None
    if store.how in _OF_MANY:
        return None
    whole = f"{ast.unparse(value)}{inner[0]}"
    match kept.kinds[-1:]:
        case ("list",):
            each = f"[t.detach() for t in {whole}]"
        case ("dict",):
            each = f"{{k: t.detach() if hasattr(t, 'detach') else t for k, t in {whole}.items()}}"
        case _:
            return None
    if not inner[0].startswith(".") or inner[1].startswith("."):
        return None
    return (
        f"Detach what it carries before it is stored there: `{whole} = {each}`, and so what else "
        "of it has a graph; or store only what is read of it later."
    )


def _goes_along(kept: Kept, store: Store, other: Store) -> bool:
    """Whether the other statement is at fault as well."""
    if other.key != store.key:
        return other.key is not None and f"[{other.key}]" in kept.keys
    value, second = stored(store), stored(other)
    if value is None or second is None:
        return False
    return ast.dump(value) == ast.dump(second) or _go_on(store, other)


def _reads_itself(store: Store) -> bool:
    value = stored(store)
    every = ast.walk(value) if value is not None else ()
    return any(isinstance(n, ast.Attribute) and ast.unparse(n) == store.target for n in every)


def _go_on(*stores: Store) -> bool:
    """Whether these let each of several elements go on from what it was: `teams[i].rating`."""
    elements = {store.target for store in stores if "[" in store.target}
    own = (_reads_itself(store) for store in stores)
    return len(elements) == len(stores) and all(own) and not any(each.fresh for each in stores)
