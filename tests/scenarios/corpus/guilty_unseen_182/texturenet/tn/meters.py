import torch


class AverageMeter:
    """Keeps the latest value and a sample-weighted running average."""

    def __init__(self, name, fmt=".4f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return f"{self.name} {float(self.val):{self.fmt}} ({float(self.avg):{self.fmt}})"


@torch.no_grad()
def accuracy(output, target):
    return (output.argmax(1) == target).float().mean().item()
