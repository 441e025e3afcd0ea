from collections import defaultdict


class ClipLedger:
    """Every fake-quant call of the run, with what forward and backward found about clipping."""

    def __init__(self):
        self.calls = []

    def enter(self, call):
        self.calls.append(call)  # <- culprit

    def summary(self):
        rows = defaultdict(lambda: {"clipped": 0.0, "kept": 0.0, "n": 0})
        for c in self.calls:
            r = rows[c.layer]
            r["clipped"] += c.clipped
            r["kept"] += getattr(c, "kept", 0.0)
            r["n"] += 1
        for r in rows.values():
            r["clipped"] /= r["n"]
            r["kept"] /= r["n"]
        return dict(rows)
