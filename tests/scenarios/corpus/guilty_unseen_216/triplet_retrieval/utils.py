class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  # <- culprit
        self.count += n
        self.avg = self.sum / self.count


def adjust_lr(optimizer, base, it, warmup):
    for g in optimizer.param_groups:
        g["lr"] = base * min(1.0, (it + 1) / warmup)
