class AverageMeter:
    """Computes and stores the average and current value."""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.count = 0
        self.sum = 0.0

    def update(self, val, n=1):
        self.sum += val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return float(self.sum) / max(self.count, 1)


class MeterGroup:
    def __init__(self, *names):
        self.meters = {k: AverageMeter(k) for k in names}

    def update(self, n, **vals):
        for k, v in vals.items():
            self.meters[k].update(v, n)

    def __str__(self):
        return "  ".join(f"{k}: {m.avg:.4f}" for k, m in self.meters.items())
