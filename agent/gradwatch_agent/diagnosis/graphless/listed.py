"""`torch.as_tensor`: of a tensor it keeps the graph, of a list it takes the numbers."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.naming.attributes import MISSING
from gradwatch_agent.source.flow.containing import contains
from gradwatch_agent.source.syntax.reading import called


def of_numbers(value: ast.expr, spot: Spot, files: Collection[str]) -> list[ast.expr] | None:
    """The list of whose numbers the expression makes a tensor; None if it is no such one."""
    match value:
        case ast.Call(args=[given, *_]) if called(value) == "as_tensor":
            meant = spot.scene.meant(given)
            if meant is not MISSING:
                return [given] if issubclass(type(meant), list | tuple) else None
            listed = isinstance(given, ast.List | ast.ListComp | ast.Tuple)
            return [given] if listed or contains(given, spot.scene.file, files) else None
    return None
