"""Attributes that an object keeps in a dict of its own, and that go by no name there which its user
would write: `def __setattr__(self, name, value): self._slots[name] = value`.
"""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.naming import Path


def as_attribute(path: Path) -> Path:
    """The same way, by the attribute: `run.hidden` of `run._slots['hidden']`."""
    for step in path.back():
        mapping = step.parent
        owner = mapping.parent if mapping is not None and mapping.attribute else None
        if mapping is None or owner is None or not step.label.startswith("['"):
            continue
        name = str(ast.literal_eval(step.label[1:-1]))
        if name.isidentifier() and _takes_attributes(mapping):
            return path.by_way_of(step, owner.to(name, mapping.owners))
    return path


def _takes_attributes(mapping: Path) -> bool:
    """Whether what its object is given as an attribute is put into the dict."""
    return any(
        store.function == "__setattr__" and store.own and store.target.endswith("]")
        for store in candidates(mapping)
    )
