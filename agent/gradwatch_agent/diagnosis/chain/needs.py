"""What the loss needs of what is carried over. Holds nodes only while it is asked."""

from __future__ import annotations

from collections.abc import Iterator

from gradwatch_agent.diagnosis.chain.above import Above, Needs
from gradwatch_agent.diagnosis.chain.names import Names
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.naming import Path
from gradwatch_agent.torch_seam import Node


def needs_of(known: Known, crossing: Crossing, now: Names, above: Above) -> Needs:
    """What the loss needs of the thing."""
    made = set(above.of(crossing))
    if not (known.path.container or known.leaf):
        return Needs(through=not made.isdisjoint(now.standing_at(known.example)))
    inside = _nodes_in(known.path, now)
    return Needs(
        lone=not above.trains_beside(inside),
        renewed=above.reaches_all(inside),
        apart=above.are_apart(inside),
        through=not made.isdisjoint(inside),
        only=above.trains_only_by(inside),
    )


def _nodes_in(holder: Path, now: Names) -> set[Node]:
    """The graphs that lie in the container, by whichever name, this iteration's too."""
    return {
        now.nodes[serial]
        for serial, names in now.paths.items()
        if any(_is(step, holder) for path, _ in names for step in _all_steps(path, now))
    }


def _all_steps(path: Path, now: Names) -> Iterator[Path]:
    """Those of the way, and of the other ways to what lies on it."""
    for step in path.back():
        yield step
        for other in now.aliases.get(step.expression, ()):
            yield from other.back()


def _is(step: Path, holder: Path) -> bool:
    same = holder.identity and step.identity == holder.identity
    return bool(same) or step.expression == holder.expression
