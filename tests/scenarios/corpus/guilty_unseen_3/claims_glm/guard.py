from collections import Counter
from contextlib import contextmanager


class ClaimOutlier(ValueError):
    pass


class Supervisor:
    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.incidents = []

    def __len__(self):
        return len(self.incidents)

    @contextmanager
    def shielding(self, batch):
        try:
            yield self
        except ClaimOutlier as err:
            self.incidents.append((batch, err))  # <- culprit
            if len(self.incidents) > self.tolerance:
                raise

    def summary(self):
        kinds = Counter(type(e).__name__ for _, e in self.incidents)
        print("incidents:", dict(kinds), "last:", self.incidents[-1][1] if self.incidents else "-")
