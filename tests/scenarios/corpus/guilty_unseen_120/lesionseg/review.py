from collections import namedtuple

Case = namedtuple("Case", "scan dice")


class ReviewQueue:
    def __init__(self, below):
        self.below = below
        self.queue = []

    def look(self, scans, dice):
        low = dice < self.below
        for k in low.nonzero().flatten().tolist():
            self.queue.append(Case(scans[k], dice[k]))  # <- culprit

    def shortlist(self, n):
        return sorted(self.queue, key=lambda c: float(c.dice))[:n]
