from dataclasses import dataclass
from typing import Any


@dataclass
class Case:
    score: Any
    cost: Any
    label: int
    step: int


class ReviewQueue:
    """Transactions the analysts should look at, keyed by transaction id."""

    def __init__(self, threshold):
        self.threshold = threshold
        self.cases = {}

    def offer(self, step, ids, scores, costs, labels):
        ranked = costs.detach().argsort(descending=True)
        added = 0
        for i in ranked[:3].tolist():
            if costs[i] < self.threshold:
                break
            self.cases[ids[i]] = Case(scores[i], costs[i], int(labels[i]), step)  # <- culprit
            added += 1
        return added

    def report(self, top):
        rows = sorted(self.cases.items(), key=lambda kv: float(kv[1].cost), reverse=True)
        for tx, case in rows[:top]:
            yield f"{tx} step={case.step} label={case.label} p={float(case.score):.3f} cost={float(case.cost):.3f}"
