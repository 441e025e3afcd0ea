"""Which refusal it is, and what is told of it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Final

from gradwatch_agent.diagnosis.explaining import causes
from gradwatch_agent.diagnosis.refused import changed, functions, gradients, leaving, made, parallel
from gradwatch_agent.diagnosis.refused.raising import Raised, Told, raised
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.torch_seam import plainly

_TELLERS: Final[tuple[tuple[str, Callable[[Raised], Told | None]], ...]] = (
    ("leaf Variable that requires grad is being used in an in-place", changed.of_leaf),
    ("functions with out=... arguments don't support", changed.of_out),
    ("is a view and is being modified inplace", changed.of_view),
    ("is being modified inplace with grad mode enabled", changed.of_view),
    (r"Can't call numpy\(\) on Tensor that requires grad", leaving.of_array),
    ("support the deepcopy protocol", leaving.of_copy),
    ("only change requires_grad flags of leaf", leaving.of_flag),
    ("[Ii]nference tensor", leaving.of_inference),
    ("object has no attribute 'backward'", made.of_loss),
    ("as parameter '.*torch.nn.Parameter or None expected", made.of_parameter),
    ("optimizer got an empty parameter list", made.of_no_weights),
    ("can't optimize a non-leaf Tensor", made.of_optimized),
    ("returned an incorrect number of gradients", functions.of_count),
    ("marked with @once_differentiable", functions.of_once),
    ("returned an invalid gradient at index", functions.of_shape),
    ("Expected to have finished reduction in the prior iteration", parallel.of_unreached),
    ("'?NoneType'?", gradients.of_none),
    ("cannot register a hook on a tensor that doesn't require grad", gradients.of_hook),
    ("can't retain_grad on Tensor that has requires_grad=False", gradients.of_hook),
    ("appears to not have been used in the graph", gradients.of_no_part),
    (r"Mismatch in shape: grad_output\[", gradients.of_weights),
    ("[Oo]nly Tensors of floating point .*can require gradients", made.of_dtype),
    ("grad can be implicitly created only for scalar outputs", gradients.of_many),
)
"""By what torch, or Python, says; seen in torch 2.4 to 2.13."""


def of_refused(error: BaseException) -> Told | None:
    """A sentence on the fault, and the change to make; None if it is none of these."""
    for cause in causes(error):
        tell = next((tell for words, tell in _TELLERS if re.search(words, str(cause))), None)
        found = _told(cause, tell) if tell is not None else None
        if found is not None:
            return found
    return None


def _told(error: BaseException, tell: Callable[[Raised], Told | None]) -> Told | None:
    local = Locals()
    try:
        with contextlib.suppress(RecursionError), plainly():
            where = raised(error, local)
            return tell(where) if where is not None else None
        return None
    finally:
        local.clear()
