import torch


class AverageMeter:
    """Computes and stores the average and current value"""

    def __init__(self, name):
        self.name = name
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


def daily_sales(shops, days):
    base = torch.rand(shops, 1) * 6 + 4
    weekday = 1 + 0.4 * torch.sin(torch.arange(days) * 2 * 3.14159 / 7)
    return torch.poisson(base * weekday)
