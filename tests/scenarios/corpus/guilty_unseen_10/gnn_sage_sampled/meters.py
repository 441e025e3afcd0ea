"""The meters everybody copies from the ImageNet example."""


class AverageMeter:
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=".3f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.sum = self.sum + val * n  # <- culprit
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return f"{self.name} {float(self.avg):{self.fmt}}"


class ProgressLine:
    def __init__(self, total, meters, prefix="epoch"):
        width = len(str(total))
        self.template = "{:" + str(width) + "d}/" + str(total)
        self.meters = meters
        self.prefix = prefix

    def show(self, k):
        print(self.prefix, self.template.format(k), *(str(m) for m in self.meters.values()), sep="  ")
