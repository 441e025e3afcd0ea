class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt="{:.4f}"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.val = float(val)
        self.sum += val * n  # <- culprit
        self.count += n
        self.avg = float(self.sum) / self.count

    def __str__(self):
        return self.name + " " + self.fmt.format(self.avg)
