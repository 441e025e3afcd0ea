"""For a container by which the loss trains what each iteration puts there: what is new must keep
its graph until its own backward, and what is older must go. Pure but for reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.beside import empty_it_too
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import put_call
from gradwatch_agent.advice.stored import inner_labels
from gradwatch_agent.source.flow.newest import begins_with_its_length, newest_read
from gradwatch_agent.source.gradients.walked import is_walked
from gradwatch_agent.source.stored.stores import (
    Store,
    attribute,
    known_places,
    targets_at,
)


def is_trained_through(kept: Kept, store: Store) -> bool:
    """Whether what is read there is trained through, so far as the source tells."""
    if not kept.kinds or (not store.keys and store.how == "assign"):
        return False
    places = known_places(targets_at(store.file, store.line), kept.files)
    return is_walked(kept.name, places, kept.files, store.owner if store.own else "")


def is_read_to_train(kept: Kept) -> bool:
    """The same of an attribute, where no statement is known to store there."""
    attribute_of = kept.kinds and kept.expression.endswith(f".{kept.name}")
    return bool(attribute_of) and is_walked(kept.name, {attribute(kept.name)}, kept.files)


def in_each_iteration(kept: Kept) -> str:
    """For what is rightly put there with its graph, and too much of which is left."""
    return (
        "The loss trains by what lies there: empty it in each iteration, once backward is done or "
        f"ahead of what is put there next, `{_emptied(kept)}`."
    )


def _emptied(kept: Kept) -> str:
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
    plain = not inner_labels(kept, store) and is_trained_through(kept, store)
    averaged = kept.scalar and most != "1" and not plain
    if beside is not None or averaged:
        return beside  # of losses the last few are averaged, seldom trained through
    if store.node.value is not call:  # in a lambda, that can assign nothing
        return (
            "Only the newest are read, and trained through: keep no others, but empty "
            f"`{put_in}` ahead of each forward."
        )
    if most == "1":
        return (
            "Only the newest is read, and trained through: keep no other, "
            f"`{put_in}[:] = [{ast.unparse(call.args[0])}]`."
        )
    only = f"Only the newest are read, and trained through: keep no others, `{put}; del {put_in}"
    if most is not None:
        return f"{only}[:-{most}]`."
    return f"{only}[:-n]`, where `n` is the most that is read."


def _farthest(back: list[ast.expr]) -> str | None:
    """The one that is farthest back; None where the function that stores may not know it."""
    far = {ast.unparse(each) for each in back}
    if all(map(str.isdecimal, far)):
        return max(far, key=int)
    names = {n.id for each in back for n in ast.walk(each) if isinstance(n, ast.Name)}
    known = all(name in ("self", "len") or name.isupper() for name in names)
    return far.pop() if known and len(far) == 1 else None
