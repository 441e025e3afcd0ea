class RunningMoments:
    """exponential first and second moment, used to whiten the advantages"""

    def __init__(self, decay=0.98, eps=1e-5):
        self.decay = decay
        self.eps = eps
        self.mean = None
        self.mean_sq = None

    def push(self, values):
        m, s = values.mean(), values.pow(2).mean()
        if self.mean is None:
            self.mean, self.mean_sq = m, s
        else:
            self.mean = self.decay * self.mean + (1 - self.decay) * m  # <- culprit
            self.mean_sq = self.decay * self.mean_sq + (1 - self.decay) * s  # <- culprit

    def whiten(self, values):
        var = (self.mean_sq - self.mean ** 2).clamp_min(0)
        return (values - self.mean) / (var.sqrt() + self.eps)

    @property
    def std(self):
        return (self.mean_sq - self.mean ** 2).clamp_min(0).sqrt().item()
