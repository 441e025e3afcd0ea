"""Meters after the ImageNet example."""


class AverageMeter:
    def __init__(self, name, fmt=":.4f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = 0.0
        self.sum = 0.0
        self.count = 0

    @property
    def avg(self):
        return float(self.sum) / max(1, self.count)

    def update(self, val, n=1):
        self.val = float(val)
        self.sum = self.sum + val * n  # <- culprit
        self.count += n

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(
            name=self.name, val=self.val, avg=self.avg)


class ProgressMeter:
    def __init__(self, *names, total):
        self.meters = {k: AverageMeter(k) for k in names}
        self.total = total

    def update(self, n=1, **values):
        for k, v in values.items():
            self.meters[k].update(v, n)

    def display(self, step):
        print(f"[{step:4d}/{self.total}]", "  ".join(map(str, self.meters.values())), flush=True)
