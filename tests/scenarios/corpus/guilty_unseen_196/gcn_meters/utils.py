import random

import torch


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=":f"):
        self.name = name
        self.fmt = fmt
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

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(**self.__dict__)


def set_seed(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def normalize_adj(adj):
    adj = adj + torch.eye(adj.size(0))
    d = adj.sum(1).pow(-0.5)
    return d[:, None] * adj * d[None, :]


def sbm_graph(n=120, k=4, p_in=0.2, p_out=0.02):
    y = torch.arange(n) % k
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu((torch.rand(n, n) < prob).float(), diagonal=1)
    adj = upper + upper.t()
    x = torch.randn(n, 16) + 0.5 * torch.nn.functional.one_hot(y, 16).float()
    return x, normalize_adj(adj), y
