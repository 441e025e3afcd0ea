"""For a tensor that one iteration hands to the next with its graph: where to cut. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.anew import added_to_it, build_anew, start_anew
from gradwatch_agent.advice.beside import cut_it_too
from gradwatch_agent.advice.caching import anew_for_each, forget
from gradwatch_agent.advice.changed import changed
from gradwatch_agent.advice.functions import cut_from_within, for_a_function
from gradwatch_agent.advice.going_on import as_it_is_read, cut_as_it_goes_on
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.put_in import goes_on_by_itself, of_what_is_put_in
from gradwatch_agent.advice.remembering import is_refreshed, is_remembered
from gradwatch_agent.advice.restarting import begin_again
from gradwatch_agent.advice.rewriting import (
    detached,
    is_bare,
    method,
    name_detached,
    replaced,
)
from gradwatch_agent.advice.storing import detach_first, store_it, without_graph
from gradwatch_agent.advice.timing import GO_ON, ONWARD, at_its_time, behind_its_yield
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.loops import is_behind_backward
from gradwatch_agent.source.flow.onward import goes_on_itself, is_done_last, runs_in_a_round
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import reads, seen_in


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
    if kept.needed and not (kept.leaf or kept.once) and _is_made_ahead(kept, store):
        return _compute_each_time(kept, store)
    if store is not None and kept.freed and not kept.constant and is_refreshed(store, kept.files):
        return anew_for_each(kept, store)
    if store is not None and store.how not in ("assign", "augment", "bind"):
        code = without_graph(kept, store)
        if code is not None or (kept.lone and not goes_on_by_itself(kept, store)):
            return of_what_is_put_in(kept, store, code or "")
        if kept.kinds and kept.labels and kept.labels[-1].startswith("."):
            return detach_first(kept, store, kept.labels[-1])
    if store is not None and (again := begin_again(kept, store)) is not None:
        return again
    onward = cut_as_it_goes_on(kept, store) if store is not None and kept.taught else None
    if onward is not None:
        return f"{ONWARD}`{onward}`."
    if store is not None and kept.once:
        return build_anew(kept, store, _at_the_store(kept, store))
    if kept.sole and not (kept.leaf or kept.constant):
        return _compute_it_anew(kept)
    if store is not None and (added := added_to_it(kept, store)) is not None:
        return start_anew(store, added)
    if store is not None and kept.wraps:
        return _of_what_is_wrapped(kept, store)
    if store is not None and (code := _at_the_store(kept, store)) is not None:
        return store_it(kept, store, code)
    if store is not None and (code := _where_it_goes_on(kept, store)) is not None:
        return f"{ONWARD}`{code}`."
    bare = not (kept.labels or kept.kinds or kept.leaf or kept.expression.endswith("]"))
    if store is not None and bare and (too := cut_it_too(store)) is not None:
        return too
    code = whole_detached(kept, store)
    if kept.elsewhere == "module":
        code = f"global {kept.expression}; {code}"
    if (within := cut_from_within(kept, code)) is not None:
        alone = None if kept.through or store is None else without_graph(kept, store)
        return store_it(kept, store, alone) if store is not None and alone else within
    if kept.elsewhere and store is not None and (read := as_it_is_read(kept, store)) is not None:
        return f"{ONWARD}{read}."
    if store is not None and (handed := behind_its_yield(store, code)) is not None:
        return handed
    last = store is not None and is_done_last(store.file, store.line, kept.files)
    if store is not None and not kept.leaf and (last or _can_do_without(kept, store)):
        cut = without_graph(kept, store)
        if cut is not None:
            return store_it(kept, store, cut)
    return at_its_time(kept, code, last=last)


def _can_do_without(kept: Kept, store: Store) -> bool:
    """Whether this iteration's loss needs no gradient by what is stored, or has it by the names of
    its parts.
    """
    return bool(kept.constant) or (bool(kept.elsewhere) and _puts_names(store))


def _compute_it_anew(kept: Kept) -> str:
    """For what alone trains the loss: detached, it would leave nothing to train."""
    made = f", which `{kept.maker}` has made" if kept.maker else ""
    return (
        f"The loss trains by `{kept.expression}` alone{made}: carry over what it is computed from "
        "instead of it, and compute it anew ahead of the loss."
    )


def _is_made_ahead(kept: Kept, store: Store | None) -> bool:
    """Whether it is stored before training alone, or was given to a function, which stores none."""
    if store is None:
        return not kept.labels
    return is_set_up(store.file, store.line, kept.files)


def _compute_each_time(kept: Kept, store: Store | None) -> str:
    """For what is computed ahead of training, and learned by: without its graph, what computed it
    would learn no more.
    """
    code = without_comment(store.code) if store is not None else ""
    what = f"what `{code}` puts there" if code else f"`{kept.expression}`"
    gone = ", and its graph is gone after the first backward" if kept.freed else ""
    return (
        f"Compute {what} anew in each iteration: the loss trains by it{gone}. Detached, it would "
        "teach nothing to the weights that it is computed with."
    )


def _puts_names(store: Store) -> bool:
    """`state = (h, c)`: what the same round reads goes by those names."""
    match store.node:
        case ast.Assign(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
            return bool(parts) and all(isinstance(each, ast.Name) for each in parts)
    return False


def _of_what_is_wrapped(kept: Kept, store: Store) -> str:
    """For `step = partial(update, state)`: the thing itself has nothing to detach."""
    code = changed(kept, store, detached) if kept.labels else None
    if code is not None:
        return store_it(kept, store, code)
    return f"Detach what `{kept.expression}` keeps before it is made: `x = x.detach()`."


def call_it(call: str) -> str:
    """For what has a method to cut it, which is called nowhere."""
    return f"{GO_ON}`{call}`, which nothing does so far."


def _where_it_goes_on(kept: Kept, store: Store) -> str | None:
    """The statement that makes it of what it was: where it has no name but that statement's own,
    under a key that nobody can write, as a tensor is, or in what an object keeps to itself.
    """
    hidden = kept.is_object and any(label.startswith("._") for label in kept.labels)
    nameless = "[...]" in kept.expression and not kept.kinds and not kept.is_object
    if not nameless and not hidden:
        return None
    return name_detached(store.node, store.target, within=hidden)


def _goes_by_itself(kept: Kept, store: Store, value: ast.expr) -> bool:
    """Whether the loss of the same iteration gets what is stored by its own name, and by no other:
    it is stored but once in each.
    """
    if is_behind_backward(store):
        return True
    itself = goes_on_itself(value, store.file, store.line, kept.files)
    return itself and not runs_in_a_round(store.file, store.line, kept.files)


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
    if kept.through and not _goes_by_itself(kept, store, node.value):
        return None  # what the same iteration reads there is to keep its graph
    cut = method(detached(node.value), "requires_grad_") if kept.leaf else detached(node.value)
    if kept.leaf and not kept.kinds and not kept.lone and not kept.through:
        return replaced(node, node.value, cut)
    whole = is_bare(node.value) or (is_bare(seen_in(node.value)) and is_behind_backward(store))
    keys = len(kept.own_keys)
    itself = not kept.kinds or 0 < keys <= store.keys - len(kept.kinds)  # no collection of it
    if whole and store.target not in reads(node.value) and itself:
        return replaced(node, node.value, cut)
    return None
