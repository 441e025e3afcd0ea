from collections import defaultdict


class EpochMeter:
    def __init__(self):
        self.sums = defaultdict(float)
        self.counts = defaultdict(int)

    def add(self, **values):
        for k, v in values.items():
            self.sums[k] += v.item()
            self.counts[k] += 1

    def averages(self):
        return {k: self.sums[k] / self.counts[k] for k in self.sums}
