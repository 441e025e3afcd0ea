import torch


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = self.count = 0

    def update(self, v, n=1):
        self.sum += v * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def flat_grad(net):
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in net.parameters()])


def write_grad(net, vec):
    i = 0
    for p in net.parameters():
        p.grad = vec[i:i + p.numel()].view_as(p).clone()
        i += p.numel()


def project(a, b):
    dot = a @ b
    if dot >= 0:
        return a + b, False
    return a - dot / (b @ b) * b + b - dot / (a @ a) * a, True
