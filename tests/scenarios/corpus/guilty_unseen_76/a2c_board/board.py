from collections import defaultdict


class Board:
    """Drop-in for SummaryWriter on machines without tensorboard; everything is printed at close()."""

    def __init__(self):
        self.rows = defaultdict(list)

    def add_scalar(self, tag, value, step):
        self.rows[tag].append((step, value))  # <- culprit

    def close(self):
        for tag, rows in sorted(self.rows.items()):
            tail = [float(v) for _, v in rows[-20:]]
            print(f"{tag:18s} n={len(rows):4d} last20={sum(tail) / len(tail):.4f}")
