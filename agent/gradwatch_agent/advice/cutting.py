"""For a tensor that one iteration hands to the next with its graph: where to cut. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.advice.beside import cut_it_too, empty_it_too
from gradwatch_agent.advice.caching import anew_for_each, forget, is_refreshed, is_remembered
from gradwatch_agent.advice.changed import changed
from gradwatch_agent.advice.functions import for_a_function
from gradwatch_agent.advice.going_on import cut_as_read
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import (
    detached,
    is_bare,
    method,
    name_detached,
    number,
    replaced,
)
from gradwatch_agent.advice.stored import stored
from gradwatch_agent.advice.storing import detach_first, store_it, without_graph
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.emptying import filled_beside
from gradwatch_agent.source.flow.loops import is_behind_backward
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import reads, seen_in

_START = "At the start of each iteration: "
_GO_ON = "Once backward is done: "
"""Of what is no tensor yet when the first iteration starts."""

_ONWARD = "Let it go on without its graph: "

_TRAINED_ELSEWHERE = "Detach it ahead of the loop, for this optimizer trains nothing of it: "


def cut_the_chain(kept: Kept | None, store: Store | None) -> str:
    """For a tensor that one iteration hands to the next with its graph."""
    if kept is None:
        return (
            "Detach what one iteration hands to the next (x = x.detach()), "
            "or build it anew inside the loop."
        )
    if kept.closed:
        return for_a_function(kept)
    if store is not None and is_remembered(store):
        return forget(kept, store)
    if store is not None and store.how not in ("assign", "augment", "bind"):
        code = without_graph(kept, store)
        if code is not None:
            return _of_what_is_put_in(kept, store, code)
        if kept.kinds and kept.labels and kept.labels[-1].startswith("."):
            return detach_first(kept, store, kept.labels[-1])
    if store is not None and kept.freed and not kept.constant and is_refreshed(store):
        return anew_for_each(kept, store)
    if store is not None and kept.once:
        return _build_anew(kept, store)
    if store is not None and (added := _added(kept, store)) is not None:
        return _start_anew(store, added)
    if store is not None and kept.wraps:
        return _of_what_is_wrapped(kept, store)
    if store is not None and (code := _at_the_store(kept, store)) is not None:
        return store_it(kept, store, code)
    if store is not None and (code := _where_it_goes_on(kept, store)) is not None:
        return f"{_ONWARD}`{code}`."
    bare = not (kept.labels or kept.kinds or kept.leaf)
    if store is not None and bare and (too := cut_it_too(store)) is not None:
        return too
    code = whole_detached(kept, store)
    if not kept.empty:
        return f"{_START}`{code}`."
    return f"{_GO_ON}`{_if_there_is_one(code) if kept.late else code}`."


def _if_there_is_one(code: str) -> str:
    """The assignments, where there may be nothing yet: each leaves nothing as it is."""
    tree = ast.parse(code)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            name = ast.unparse(statement.targets[0])
            test = ast.parse(f"{name} is None", mode="eval").body
            statement.value = ast.IfExp(test, ast.Constant(None), statement.value)
    return "; ".join(map(ast.unparse, tree.body))


def _of_what_is_put_in(kept: Kept, store: Store, code: str) -> str:
    """Where the loss is made of what lies there, old and new, it is the old that is too much."""
    if (beside := empty_it_too(store, None if kept.lone else code)) is not None:
        return beside
    if (read := cut_as_read(kept, store)) is not None:
        return f"{_ONWARD}`{read}`."
    onward = kept.through and not kept.renewed
    if onward or (kept.lone and _goes_on(store)):
        return f"{_START}`{whole_detached(kept, store)}`."
    if kept.lone:
        owner = kept.expression.rpartition(".")[0]
        every = [kept.expression, *(f"{owner}.{name}" for name in filled_beside(store) if owner)]
        clear = "; ".join(f"{each}.clear()" for each in every)
        return f"{_GO_ON}`{clear}`, for the loss trains by what lies there."
    if kept.renewed:
        return (
            f"{_GO_ON}`{kept.expression}.clear()`; or, if what is old is to stay there, store it "
            f"without its graph: `{code}`."
        )
    return store_it(kept, store, code)


def _goes_on(store: Store) -> bool:
    """Whether what it puts in is made of what lies there: `last.append(0.5 * last[-1] + x)`."""
    value = stored(store)
    return value is not None and store.target in reads(value)


def _of_what_is_wrapped(kept: Kept, store: Store) -> str:
    """For `step = partial(update, state)`: the thing itself has nothing to detach."""
    code = changed(kept, store, detached) if kept.labels else None
    if code is not None:
        return store_it(kept, store, code)
    return f"Detach what `{kept.expression}` keeps before it is made: `x = x.detach()`."


def _added(kept: Kept, store: Store) -> ast.expr | None:
    """What the statement adds to a sum on which backward is called."""
    if not kept.scalar or kept.kinds or not store.adds_to_itself:
        return None
    calls = (call for _, call in calls_of("backward", [store.file]))
    summed = (each.func.value for each in calls if isinstance(each.func, ast.Attribute))
    if all(ast.unparse(each) != store.target for each in summed):
        return None
    match store.node:
        case ast.AugAssign(value=value):
            return value
        case ast.Assign(value=ast.BinOp(left=left, right=right)):
            return left if ast.unparse(right) == store.target else right
    return None


def _start_anew(store: Store, added: ast.expr) -> str:
    advice = f"Start `{store.target}` anew in each iteration, ahead of what is added to it"
    if not is_bare(added):
        return f"{advice}."
    code = replaced(store.node, added, number(added))
    return (
        f"{advice}; or, if it is but a record, add a number, `{code}`, and call "
        f"`{ast.unparse(added)}.backward()`."
    )


_ANEW: Final = "anew in each iteration: its graph is gone after the first backward."


def _build_anew(kept: Kept, store: Store) -> str:
    """For what is built once, ahead of the loop that walks it again and again. A statement that
    was given a graph, its own earlier value maybe (`x = x / x.std()`), cannot be moved alone.
    """
    code = _at_the_store(kept, store)
    if code is None and not kept.by_attributes:
        code = _called_and_detached(store)
    value = getattr(store.node, "value", None)
    if kept.constant:
        return f"{_TRAINED_ELSEWHERE}`{code or whole_detached(kept, store)}`."
    cut = f": `{code}`" if code is not None else ""
    which = "what it is made of" if kept.by_attributes else "it"
    constant = f"Or, if it is a constant here, detach {which}{cut}."
    if kept.deeper or (value is not None and store.target in reads(value)):
        return f"Compute `{store.target}`, all of it, {_ANEW} {constant}"
    return f"{move_it(store)} {constant}"


def move_it(store: Store) -> str:
    """For what is built by a statement that runs once."""
    moved = without_comment(store.code)
    return f"Build `{store.target}` {_ANEW} Move `{moved}` to where it is used."


def _called_and_detached(store: Store) -> str | None:
    """`q = critic(state).detach()`."""
    match store.node:
        case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=ast.Call() as call):
            return replaced(store.node, call, detached(call))
    return None


def call_it(call: str) -> str:
    """For what has a method to cut it, which is called nowhere."""
    return f"{_GO_ON}`{call}`, which nothing does so far."


def cut_all(suggestions: list[str]) -> str:
    """The same for several tensors that are handed on together."""
    starts = {text.partition("`")[0] for text in suggestions}
    cut = starts <= {_START, _GO_ON} and len(suggestions) > 1
    said: dict[tuple[str, str], dict[str, None]] = {}
    for text in suggestions:
        start, _, after = text.partition("`")
        code, _, rest = after.partition("`")
        around = (_START if starts == {_START} else _GO_ON, ".") if cut else (start, rest)
        said.setdefault(around, {})[code] = None
    return " ".join(
        f"{start}`{'; '.join(_of_each(codes))}`{rest}" if any(codes) else start
        for (start, rest), codes in said.items()
    )


_OF_ONE: Final = re.compile(r"(?P<of>.+)\[(?P<at>\d+)\](?P<what>\.[^\[]+) = (.+)\.detach\(\)")


def _of_each(codes: Iterable[str]) -> list[str]:
    """The same said of several elements of one list is said once, of each."""
    said: dict[tuple[str, str], list[str]] = {}
    for code in codes:
        one = _OF_ONE.fullmatch(code)
        is_one = one is not None and code.endswith(f" = {code.partition(' = ')[0]}.detach()")
        key = (one["of"], one["what"]) if one is not None and is_one else (code, "")
        said.setdefault(key, []).append(code)
    return [
        f"for each in {of}: each{what} = each{what}.detach()" if len(same) > 1 else same[0]
        for (of, what), same in said.items()
    ]


def _where_it_goes_on(kept: Kept, store: Store) -> str | None:
    """The statement that makes it of what it was: where it has no name but that statement's own,
    under a key that nobody can write, as a tensor is, or in what an object keeps to itself.
    """
    hidden = kept.is_object and any(label.startswith("._") for label in kept.labels)
    nameless = "[...]" in kept.expression and not kept.kinds and not kept.is_object
    if not nameless and not hidden:
        return None
    return name_detached(store.node, store.target, within=hidden)


def _at_the_store(kept: Kept, store: Store) -> str | None:
    """Where the value goes by another name too, or a leaf is wanted: the assignment itself."""
    node = store.node
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return None
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if len(targets) != 1 or isinstance(targets[0], ast.Tuple | ast.List):
        return None
    if len(kept.own_keys) > store.keys:
        return None  # it is an element of what is assigned
    if kept.is_object:
        return None  # which has nothing to detach itself
    cut = method(detached(node.value), "requires_grad_") if kept.leaf else detached(node.value)
    if kept.leaf and not kept.kinds and not kept.lone:
        return replaced(node, node.value, cut)
    whole = is_bare(node.value) or (is_bare(seen_in(node.value)) and is_behind_backward(store))
    if whole and store.target not in reads(node.value) and not kept.kinds:
        return replaced(node, node.value, cut)
    return None
