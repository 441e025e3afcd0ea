class MeanLogger:
    def __init__(self):
        self.sums, self.n, self.curve = {}, 0, []

    def push(self, stats):
        for k, v in stats.items():
            self.sums[k] = self.sums.get(k, 0.0) + float(v.detach())
        self.n += 1

    def flush(self):
        means = {k: round(v / self.n, 4) for k, v in self.sums.items()}
        self.curve.append(means)
        self.sums, self.n = {}, 0
        return means
