import math


class FreezeOut:
    """Stops training stages from the input upwards as training goes on."""

    def __init__(self, groups, total, begin=0.2):
        self.groups = groups
        self.total = total
        self.begin = begin
        self.done = 0

    def frozen_count(self, step):
        frac = (step / self.total - self.begin) / (0.8 - self.begin) * 1.0
        if frac <= 0:
            return 0
        return min(len(self.groups), math.ceil(frac * (len(self.groups) + 1)) - 1)

    def apply(self, step):
        want = self.frozen_count(step)
        while self.done < want:
            group = self.groups[self.done]
            for param in group:
                param.requires_grad_(False)  # <- culprit
            self.done += 1
