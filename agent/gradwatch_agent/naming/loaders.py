"""How many batches a loader gives in an epoch, as torch's own samplers have it; none of the
program's code runs.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Collection
from typing import Any, Final

from torch.utils.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    RandomSampler,
    SequentialSampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
)

from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.source.syntax.statements import Function, body_around, results_of

Size = Callable[[Any], int]
"""How many elements something has; it raises where that cannot be told."""

_NUMBERED: Final = {RandomSampler: "_num_samples", WeightedRandomSampler: "num_samples"}
_OF: Final = {
    RandomSampler: "data_source",
    SequentialSampler: "data_source",
    SubsetRandomSampler: "indices",
    Subset: "indices",
}
_PARTED: Final = {TensorDataset: "tensors", ConcatDataset: "cumulative_sizes"}


def is_loader(value: Any) -> bool:
    """Whether it is one that goes about its batches as torch's own does."""
    return issubclass(type(value), DataLoader) and attribute_of(value, "__iter__") is (
        DataLoader.__iter__
    )


def batches_of(loader: Any, size: Size) -> int:
    """How many, of what `is_loader`. Raises what `size` does, LookupError where it is not known."""
    grouping = attribute_of(loader, "batch_sampler")
    if type(grouping) is not BatchSampler:
        raise LookupError
    each, last = attribute_of(grouping, "batch_size"), attribute_of(grouping, "drop_last")
    if type(each) is not int:
        raise LookupError
    drawn = items_of(attribute_of(grouping, "sampler"), size)
    return drawn // each if last else -(-drawn // each)


def items_of(source: Any, size: Size) -> int:
    """How many a sampler or a dataset has."""
    kind = type(source)
    number = attribute_of(source, _NUMBERED.get(kind, ""))
    if type(number) is int:
        return number
    if kind in _OF:
        return size(attribute_of(source, _OF[kind]))
    whole = attribute_of(source, _PARTED.get(kind, ""))
    if type(whole) is tuple and whole:
        return size(whole[0])
    if type(whole) is list and whole and type(whole[-1]) is int:
        return whole[-1]
    raise LookupError


def length_told(value: Any, files: Collection[str]) -> tuple[ast.expr, dict[str, Any]] | None:
    """What the value's own `__len__`, of a class of the program's, gives, and the names there."""
    function = attribute_of(value, "__len__")
    if function is MISSING or type(function) is not types.FunctionType:
        return None
    code = function.__code__
    body = body_around(code.co_filename, code.co_firstlineno)
    results = results_of(body) if isinstance(body, Function) else []
    if code.co_filename not in files or len(results) != 1:
        return None
    return results[0][1], {**function.__globals__, code.co_varnames[0]: value}
