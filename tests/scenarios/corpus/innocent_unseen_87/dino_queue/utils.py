import math
from collections import defaultdict, deque

import torch


class SmoothedValue:
    def __init__(self, window):
        self.deque = deque(maxlen=window)
        self.total, self.count = 0.0, 0

    def update(self, v):
        self.deque.append(v)
        self.count += 1
        self.total += v

    @property
    def median(self):
        return torch.tensor(list(self.deque)).median().item()

    @property
    def global_avg(self):
        return self.total / self.count


class MetricLogger:
    def __init__(self, window):
        self.meters = defaultdict(lambda: SmoothedValue(window))

    def update(self, **kw):
        for k, v in kw.items():
            self.meters[k].update(v.item() if isinstance(v, torch.Tensor) else v)

    def __str__(self):
        return "  ".join(f"{k}: {m.median:.4f} ({m.global_avg:.4f})" for k, m in self.meters.items())


def cosine_scheduler(base, final, n, warmup=0):
    warm = [base * i / warmup for i in range(warmup)]
    k = n - warmup
    return warm + [final + 0.5 * (base - final) * (1 + math.cos(math.pi * i / k)) for i in range(k)]
