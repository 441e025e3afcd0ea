class SummaryWriter:
    """Collects scalars and prints a digest when closed."""

    def __init__(self, run_name):
        self.run_name = run_name
        self.scalars = {}

    def add_scalar(self, tag, value, step):
        self.scalars.setdefault(tag, []).append((step, value))  # <- culprit

    def close(self):
        for tag, points in sorted(self.scalars.items()):
            tail = [float(v) for _, v in points[-10:]]
            print(f"{self.run_name} {tag}: {sum(tail) / len(tail):.4f}")
