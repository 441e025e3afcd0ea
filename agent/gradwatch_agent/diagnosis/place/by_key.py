"""The statement that puts a state under a key of a dict that its function was handed. Pure but for
reading.
"""

from __future__ import annotations

from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import function_at


def put_under_its_key(known: Known) -> Store | None:
    """`cache["h"] = h`, in the function that made what lies there and uses it: who called that is
    not to be told from the source. None where there is no such statement, or are several.
    """
    if not known.used or not known.made or known.path.label[:1] != "[":
        return None
    file, function = known.used[0].file, function_at(known.used[0].file, known.used[0].line)
    if (known.made[0].file, function_at(known.made[0].file, known.made[0].line)) != (
        file,
        function,
    ):
        return None
    found = {
        store.line: store
        for every in index(file).puts.values()
        for store in every
        if store.scope == function and f"[{store.key}]" == known.path.label
    }
    return found.popitem()[1] if len(found) == 1 else None
