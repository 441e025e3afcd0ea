"""Flags batches whose loss stands out, so that their labels can be looked at after the run."""


class SuspiciousBatch(Exception):
    def __init__(self, number, value, usual):
        super().__init__(f"batch {number}: loss {value:.3f}, usually {usual:.3f}")
        self.number = number
        self.ratio = value / usual


class BatchAudit:
    def __init__(self, tolerance, warmup, decay=0.9):
        self.tolerance, self.warmup, self.decay = tolerance, warmup, decay
        self.usual = None
        self.findings = []

    def check(self, number, value):
        usual = value if self.usual is None else self.usual
        self.usual = self.decay * usual + (1 - self.decay) * value
        if number >= self.warmup and value > self.tolerance * usual:
            raise SuspiciousBatch(number, value, usual)

    def keep(self, exc):
        self.findings.append(exc)  # <- culprit

    def report(self, top=5):
        worst = sorted(self.findings, key=lambda e: -e.ratio)[:top]
        return "\n".join([f"{len(self.findings)} suspicious batches"] + [f"  {e}" for e in worst])
