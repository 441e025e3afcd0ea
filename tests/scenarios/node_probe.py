"""Runs a script and writes one JSON line per backward: what its loss reaches.

    python node_probe.py OUT.jsonl SCRIPT [ARGS...]

Counts by walking the whole graph, and marks what it walks; shares nothing with the agent, so
that the scenarios' truths are proven without it.
"""

import functools
import itertools
import json
import runpy
import sys
import weakref
from pathlib import Path

import torch


class Mark:
    """Put on each node of one backward; dies with the node."""

    def __init__(self, backward):
        self.backward = backward


def look(tensors, marks, number):
    """Counts the nodes reached, those that an earlier backward reached, and what still lives."""
    roots = [tensors] if isinstance(tensors, torch.Tensor) else tensors
    todo = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen, stale = set(todo), 0
    while todo:
        node = todo.pop()
        if "probe" in node.metadata:
            stale += 1
        elif not node.name().endswith("AccumulateGrad"):  # belongs to its leaf, not to a graph
            node.metadata["probe"] = Mark(number)
            marks.add(node.metadata["probe"])
        fresh = {follower for follower, _ in node.next_functions if follower} - seen
        seen |= fresh
        todo += fresh
    alive = {mark.backward for mark in marks}
    return {"nodes": len(seen), "stale": stale, "alive": len(alive)}


def main():
    out, script, *arguments = sys.argv[1:]
    marks = weakref.WeakSet()
    engine = torch.autograd.backward
    numbers = itertools.count(1)
    with Path(out).open("w", buffering=1) as lines:

        @functools.wraps(engine)
        def backward(tensors, *args, **kwargs):
            lines.write(json.dumps(look(tensors, marks, next(numbers))) + "\n")
            return engine(tensors, *args, **kwargs)

        torch.autograd.backward = backward
        sys.argv = [script, *arguments]
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
