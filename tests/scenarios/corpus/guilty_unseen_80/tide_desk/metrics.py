class Metric:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = 0.0, 0

    def compute(self):
        return self.total / max(self.count, 1)


class MeanSkill(Metric):
    def update(self, predicted, level):
        err = (predicted - level).square().sum(1)
        ref = (level - level.mean(1, keepdim=True)).square().sum(1)
        self.total += float((1 - err / ref).sum())
        self.count += len(level)


class PeakError(Metric):
    def update(self, predicted, level):
        self.total += float((predicted.amax(1) - level.amax(1)).abs().sum())
        self.count += len(level)
