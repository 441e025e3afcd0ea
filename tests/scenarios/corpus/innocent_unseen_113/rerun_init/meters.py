class AverageMeter:
    """Computes and stores the average and current value."""

    def __init__(self, fmt=":.4f"):
        self.fmt = fmt
        self.val = self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)

    def __str__(self):
        return f"{{{self.fmt}}}".format(float(self.avg.detach()))


class SpreadMeter(AverageMeter):
    """Keeps what it was given as well, to tell how far it was spread."""

    def __init__(self, fmt=":.4f"):
        super().__init__(fmt)
        self.values = []

    def update(self, val, n=1):
        super().update(val, n)
        self.values.append(val)

    def __str__(self):
        vs = [float(v.detach()) for v in self.values]
        return f"{super().__str__()} [{min(vs):.3f}..{max(vs):.3f}]"


registry = {"loss": SpreadMeter(), "mae": SpreadMeter(":.3f"), "reg": AverageMeter(":.2e")}


def reset_all():
    for m in registry.values():
        m.__init__(m.fmt)


def report():
    return "  ".join(f"{k} {m}" for k, m in registry.items())
