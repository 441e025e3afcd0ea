"""Backwards on what has no graph: where it was cut, told from the source and from what still lives.

Holds tensors and frames only while it is asked.
"""

from gradwatch_agent.diagnosis.graphless.answering import of_graphless, of_spots

__all__ = ["of_graphless", "of_spots"]
