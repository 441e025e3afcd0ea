"""For something that keeps spent graphs alive: what to store instead. Pure."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

from gradwatch_agent.advice.bounding import LAGGING, lags_behind
from gradwatch_agent.advice.by_name import by_its_name
from gradwatch_agent.advice.caching import forget
from gradwatch_agent.advice.emptying import (
    in_each_iteration,
    is_read_to_train,
    is_trained_through,
    last_cut,
    looked_at_alone,
    newest_alone,
    once_done,
    trained_column,
)
from gradwatch_agent.advice.functions import for_a_function
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.objects import cut_once_trained
from gradwatch_agent.advice.remembering import is_remembered
from gradwatch_agent.advice.returning import handed_back
from gradwatch_agent.advice.rewriting import put_call, replaced
from gradwatch_agent.advice.stored import inner_labels
from gradwatch_agent.advice.storing import detach_all_first, detach_first, store_it, without_graph
from gradwatch_agent.advice.timing import GO_ON
from gradwatch_agent.advice.trained import is_read_cut, is_trained_by
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.onward import is_done_last
from gradwatch_agent.source.gradients.training import trains_by
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.stored.tensors import uses_of_tensor
from gradwatch_agent.source.syntax.vocabulary import ADDING
from gradwatch_agent.verdicts.case import amount


def let_go(kept: Kept | None, store: Store | None) -> str:
    """The statement that stores, changed so that it stores no graph."""
    if kept is not None and kept.closed:
        return for_a_function(kept)
    if kept is not None and LAGGING in kept.kinds:
        return f"{lags_behind(kept)} or let what comes through carry no graph (x.detach())."
    if store is None or kept is None or kept.behind:
        return _in_words(kept, store)
    if is_remembered(store):
        return forget(kept, store)
    if kept.left and store.keys and store.key is None:
        return (
            f"Of all that is stored so, nobody empties `{kept.expression}`: do so in each "
            f"iteration, `{kept.expression}.clear()`, or store nothing there."
        )
    code = without_graph(kept, store)
    if (newest := newest_alone(kept, store, code)) is not None:
        return newest
    walked = is_trained_through(kept, store) and not is_read_cut(kept, store)
    if walked and not inner_labels(kept, store):
        return last_cut(kept, store) or in_each_iteration(kept)
    if (column := trained_column(kept, store)) is not None:
        return in_each_iteration(kept, column)
    if (later := cut_once_trained(kept, store)) is not None:
        return later
    spent = is_done_last(store.file, store.line, kept.files)
    if kept.kinds and not spent and (walked or is_trained_by(kept, store)):
        return once_done(kept, code)
    if _is_trained_link(kept, store):
        return f"{GO_ON}`{whole_detached(kept, store)}`."
    if code is None:
        back = handed_back(kept, store)
        if back is not None:
            return back.advice
        carried = _carried(kept, store)
        if carried and kept.raised and (call := put_call(store)) is not None:
            return _its_text(store, call.args[-1])
        if carried:
            return detach_first(kept, store, carried)
        return detach_all_first(kept, store) or _in_words(kept, store)
    plain = not kept.scalar or any(word in code for word in (".item()", "float(", "hasattr("))
    plain = plain or any(uses_of_tensor(file, kept.name) for file in kept.files)
    more = "" if plain else "; `.item()` makes it a plain number"
    if plain and _grows_by_itself(kept, store):
        size = amount(kept.weight_bytes)
        if (alone := looked_at_alone(kept, store, code)) is not None:
            return (
                f"Only the newest is read, and each is {size}: keep no other, and that one "
                f"without its graph, `{alone}`."
            )
        more = f"; each is {size} even so: keep numbers of it, or the newest only"
    if store.how == "augment" and not kept.kinds:
        return f"Add it without its graph: `{code}`{more}."
    return store_it(kept, store, code, more)


_HEAVY_BYTES: Final = 1 << 16
"""Of tensors that weigh as much, one after the other shows in a process's memory."""


def _grows_by_itself(kept: Kept, store: Store) -> bool:
    """Whether it goes on growing without any graph, so that it shows."""
    adds = store.how in ADDING and kept.kinds[-1:] in (("list",), ("set",))
    return kept.weight_bytes >= _HEAVY_BYTES and adds


def _is_trained_link(kept: Kept, store: Store) -> bool:
    """Whether it is the newest of a chain of objects, each of which keeps the one before, and the
    loss trains by what these keep their graphs by.
    """
    linked = store.how == "assign" and any(key.startswith(".") for key in kept.keys)
    label = kept.labels[0] if len(kept.labels) == 1 else ""
    return linked and label.startswith(".") and trains_by(label[1:], kept.files)


def _carried(kept: Kept, store: Store) -> str | None:
    """The one attribute by which what is put there has its graph; None where others may be put
    there, too, under other keys, or where it cannot be given anything.
    """
    call, inner = put_call(store), inner_labels(kept, store)
    given = call.args[-1] if call is not None and call.args else None
    by_any_key = store.keys > 0 and store.key is None
    if kept.hidden or kept.frozen or by_any_key or not isinstance(given, ast.Name):
        return None
    return inner[0] if len(inner) == 1 and inner[0].startswith(".") else None


def _in_words(kept: Kept | None, store: Store | None) -> str:
    """Where no statement can be put together."""
    what = f"`{kept.expression}`" if kept else "it"
    if kept is not None and kept.behind and store is not None:
        return _for_what_lies_behind(kept, store)
    if kept is not None and store is None and is_read_to_train(kept):
        return in_each_iteration(kept)
    if kept is not None and store is not None and _is_given_anew(kept, store):
        return f"Detach it once it is stored: `{whole_detached(kept, store)}`."
    if (
        kept is not None
        and store is not None
        and (said := by_its_name(kept, store.file, store.node))
    ):
        return said
    if kept is not None and ".args" in kept.labels[-2:-1]:
        return _for_its_arguments(kept, store)
    last = kept.labels[-1] if kept and kept.labels else ""
    inner = f": detach its `{last}`" if last.startswith(".") else ""
    return (
        f"Let {what} keep numbers instead of tensors with a graph{inner}: "
        "x.item() for a scalar, x.detach() for a tensor."
    )


_COLLECTIONS = frozenset(("list", "dict", "defaultdict", "OrderedDict", "deque", "set"))


def _is_given_anew(kept: Kept, store: Store) -> bool:
    """Whether it is given anew as a whole: a tensor, a tuple of them, a record; a dict or a list by
    its own name.
    """
    if store.how != "assign" or kept.hidden or kept.is_object:
        return False
    own = not store.keys and not kept.own_keys and store.target.rpartition(".")[2] == kept.name
    return own or not _COLLECTIONS.intersection(kept.kinds)


def _for_what_lies_behind(kept: Kept, store: Store) -> str:
    """An exception keeps the frames of its traceback: keep its text, or drop the traceback."""
    call = put_call(store)
    if call is not None and call.args and "traceback" in kept.via:
        value = call.args[-1]
        text = ast.unparse(value)
        inner = inner_labels(replace(kept, labels=kept.caught), store)
        if inner and isinstance(value, ast.Name):
            error = text + "".join(inner)
            return (
                f"Let it go of the traceback before it is stored: `{error}.with_traceback(None)`; "
                f"or keep its text, `str({error})`."
            )
        if isinstance(value, ast.Name):
            plain = ast.parse(f"{text}.with_traceback(None)", mode="eval").body
            code = replaced(store.node, value, plain)
            return f"Keep it without its traceback: `{code}`; or keep its text, `str({text})`."
    return (
        f"Let `{kept.expression}` keep no object that holds on to tensors with a graph: "
        "keep numbers (x.item()) or detached tensors."
    )


def _for_its_arguments(kept: Kept, store: Store | None) -> str:
    """An exception keeps all that it was made with; so does a log's record."""
    call = put_call(store) if store is not None else None
    if kept.raised and store is not None and call is not None and call.args:
        return _its_text(store, call.args[-1])
    return (
        "A log's record keeps what it was given, graph and all: log numbers (x.item()), or "
        "keep its text in place of it (record.getMessage())."
    )


def _its_text(store: Store, error: ast.expr) -> str:
    """For an exception that was made with the tensor, and has its traceback besides."""
    text = ast.parse(f"str({ast.unparse(error)})", mode="eval").body
    code = replaced(store.node, error, text)
    return (
        "Keep its text, for an exception keeps what it was made with, and by its traceback the "
        f"frames' tensors: `{code}`."
    )


def clear_gradients(code: str | None, gradient: str) -> str:
    """For gradients with a graph that leads back to their parameter."""
    named = f" in place of `{code}`" if code and len(code) < 60 else ""
    return (
        f"Use torch.autograd.grad(..., create_graph=True){named}, which leaves nothing in .grad; "
        f"or set `{gradient} = None` after its use, and so of all that it reached."
    )


def break_the_cycle(name: str) -> str:
    """For a hook that keeps the tensor it hangs on."""
    return (
        f"Let the hook capture no tensor with a graph: `{name} = {name}.detach()` under another "
        "name before it is defined, or remove the hook (handle.remove()) after the backward."
    )
