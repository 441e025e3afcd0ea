import csv
import io


class ScalarBoard:
    """Buffers scalars and writes them out in blocks."""

    def __init__(self, flush_every):
        self.flush_every = flush_every
        self.pending = []
        self.out = io.StringIO()
        self.written = 0

    @staticmethod
    def rooted(mses):
        return {f"rmse_{k}": v.sqrt() for k, v in mses.items()}  # <- culprit

    def log(self, step, **scalars):
        self.pending.append((step, scalars))  # <- culprit
        if len(self.pending) >= self.flush_every:
            self.flush()

    def flush(self):
        writer = csv.writer(self.out)
        for step, scalars in self.pending:
            for name, value in scalars.items():
                writer.writerow([step, name, f"{float(value):.6f}"])
                self.written += 1
        self.pending.clear()
