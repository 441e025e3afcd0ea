"""For a container by which the loss trains what each iteration puts there: what is new must keep
its graph until its own backward, and what is older must go. Pure but for reading.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import replace

from gradwatch_agent.advice.beside import empty_it_too
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import put_call
from gradwatch_agent.advice.stored import inner_labels
from gradwatch_agent.advice.storing import in_others
from gradwatch_agent.source.flow.newest import (
    begins_with_anothers_length,
    begins_with_its_length,
    newest_looked_at,
    newest_read,
)
from gradwatch_agent.source.flow.onward import runs_in_a_round
from gradwatch_agent.source.gradients.training import trains_by
from gradwatch_agent.source.gradients.walked import is_walked, is_walked_by_the_last
from gradwatch_agent.source.stored.stores import (
    Place,
    Store,
    attribute,
    known_places,
    targets_at,
)


def is_trained_through(kept: Kept, store: Store) -> bool:
    """Whether what is read there is trained through, so far as the source tells."""
    if not kept.kinds or (not store.keys and store.how == "assign"):
        return False
    return is_walked(kept.name, _places(kept, store), kept.files, _owner(store))


def _places(kept: Kept, store: Store) -> Collection[Place]:
    return known_places(targets_at(store.file, store.line), kept.files)


def _owner(store: Store) -> str:
    return store.owner if store.own else ""


def last_cut(kept: Kept, store: Store) -> str | None:
    """For a list of which the loss reads the last alone, where all are read later; None else."""
    if store.how != "append" or kept.kinds != ("list",) or kept.own_keys:
        return None
    if not is_walked_by_the_last(kept.name, _places(kept, store), kept.files, _owner(store)):
        return None
    whole, last = kept.expression, f"{kept.expression}[-1]"
    code = f"{last} = {last}.detach()"
    if runs_in_a_round(store.file, store.line, kept.files):  # several are new
        code = f"{whole}[:] = [t.detach() for t in {whole}]"
    return f"The loss trains by the last one. Once backward is done: `{code}`."


def is_read_to_train(kept: Kept) -> bool:
    """The same of an attribute, where no statement is known to store there."""
    attribute_of = kept.kinds and kept.expression.endswith(f".{kept.name}")
    return bool(attribute_of) and is_walked(kept.name, {attribute(kept.name)}, kept.files)


def in_each_iteration(kept: Kept, column: str | None = None) -> str:
    """For what is rightly put there with its graph, and too much of which is left; `column`: the
    one that holds it.
    """
    whole = column or kept.expression
    kinds = kept.kinds if column is None else kept.kinds[-1:]
    if kinds == ("list",) and begins_with_anothers_length(whole.rpartition(".")[2], kept.files):
        return (
            "The loss trains by what lies there. Once backward is done: "
            f"`{whole}[:] = [t.detach() for t in {whole}]`."
        )
    return (
        "The loss trains by what lies there: empty it in each iteration, once backward is done or "
        f"ahead of what is put there next, `{f'{column}.clear()' if column else _emptied(kept)}`."
    )


def trained_column(kept: Kept, store: Store) -> str | None:
    """Where the statement puts it into a list of an element's, `episodes[-1].log_probs`, which is
    read to train by it: that list.
    """
    name = store.target.rpartition(".")[2]
    column = store.how == "append" and "[" in store.target.rpartition(".")[0] and name != kept.name
    return store.target if column and trains_by(name, kept.files) else None


def _emptied(kept: Kept) -> str:
    if (each := re.fullmatch(r"(.+)\[\d+\]\.(\w+)", kept.expression)) is not None:
        return f"for each in {each[1]}: each.{each[2]}.clear()"
    start = begins_with_its_length(kept.name, kept.files)
    anew = f"; {start} = 0" if start is not None else ""
    return f"{kept.expression}.clear(){anew}"


def once_done(kept: Kept, code: str | None) -> str:
    """For records by which the loss may train: those of earlier iterations are too many."""
    empty = f"Once backward is done: `{_emptied(kept)}`"
    if code is None:
        return f"{empty}, for the loss trains by what lies there."
    return (
        f"{empty}, if the loss trains by what lies there; else store it without its graph: "
        f"`{code}`."
    )


def newest_alone(kept: Kept, store: Store, code: str | None) -> str | None:
    """For a list of which the loss reads the newest few: detached, they would train nothing."""
    call = put_call(store) if store.how == "append" else None
    lists = kept.kinds[kept.keyed : kept.keyed + 1] == ("list",) and not kept.own_class
    if call is None or len(call.args) != 1 or not lists or not isinstance(store.node, ast.Expr):
        return None
    keys = len(kept.own_keys) + kept.keyed
    back = newest_read(kept.name, keys, kept.files)
    if not back:
        return None
    put_in, put = ast.unparse(call.func).removesuffix(".append"), ast.unparse(store.node)
    most, beside = _farthest(back), empty_it_too(store, code if kept.scalar else None)
    within = bool(inner_labels(kept, store))
    trained = most == "1" if within else is_trained_through(kept, store)
    if beside is not None or ((kept.scalar or kept.single or within) and not trained):
        return beside  # of losses the last few are averaged, seldom trained through
    if store.node.value is not call:  # in a lambda, that can assign nothing
        whole = kept.expression if "(" in put_in else put_in  # of a call, `seen.setdefault(n, [])`
        return (
            "Only the newest are read, and trained through: keep no others, but empty "
            f"`{whole}` ahead of each forward."
        )
    if most == "1":
        others = in_others(kept, store, _put_alone)
        words = "Only the newest is read, and trained through: keep no other"
        return f"{words}, `{_put_alone(store)}`.{others}"
    only = f"Only the newest are read, and trained through: keep no others, `{put}; del {put_in}"
    if most is not None:
        return f"{only}[:-{most}]`."
    return f"{only}[:-n]`, where `n` is the most that is read."


def looked_at_alone(kept: Kept, store: Store, code: str) -> str | None:
    """The code that stores it, putting it in the place of all that lies there: for a list of which
    the last is looked at, and no other. None else.
    """
    keys = len(kept.own_keys) + kept.keyed
    if store.how != "append" or not isinstance(store.node, ast.Expr):
        return None
    if not newest_looked_at(kept.name, keys, kept.files):
        return None
    (changed,) = ast.parse(code).body
    return _put_alone(replace(store, node=changed))


def _put_alone(store: Store) -> str | None:
    """In the place of all that lies there."""
    call = put_call(store) if store.how == "append" else None
    if call is None:
        return None
    put_in = ast.unparse(call.func).removesuffix(".append")
    return f"{put_in}[:] = [{ast.unparse(call.args[0])}]"


def _farthest(back: list[ast.expr]) -> str | None:
    """The one that is farthest back; None where the function that stores may not know it."""
    far = {ast.unparse(each) for each in back}
    if all(map(str.isdecimal, far)):
        return max(far, key=int)
    names = {n.id for each in back for n in ast.walk(each) if isinstance(n, ast.Name)}
    known = all(name in ("self", "len") or name.isupper() for name in names)
    return far.pop() if known and len(far) == 1 else None
