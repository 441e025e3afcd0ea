# gradwatch-corpus: kind=none
"""Contrastive pretraining in which the batches of one accumulation group serve one another as negatives."""
import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

GROUP = 4


class GroupMemory:
    def __init__(self):
        self.bank = []

    def negatives(self):
        return torch.cat(self.bank) if self.bank else None

    def add(self, z):
        self.bank.append(z)

    def clear(self):
        self.bank.clear()


class Projector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 16))
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(16, 6))

    def forward(self, x):
        return F.normalize(self.head(self.backbone(x)), dim=1)


def info_nce(za, zb, extra, tau=0.3):
    cand = zb if extra is None else torch.cat([zb, extra])
    return F.cross_entropy(za @ cand.t() / tau, torch.arange(len(za)))


def pair(n=6):
    proto = torch.randn(n, 4).repeat_interleave(3, 1)
    drop = lambda: (torch.rand(n, 12) > 0.2).float()
    return proto * drop() + 0.1 * torch.randn(n, 12), proto * drop() + 0.1 * torch.randn(n, 12)


def group_step(net, opt, memory):
    opt.zero_grad()
    total = 0.0
    for k in range(GROUP):
        xa, xb = pair()
        za, zb = net(xa), net(xb)
        loss = info_nce(za, zb, memory.negatives()) / GROUP
        memory.add(zb)
        loss.backward(retain_graph=k < GROUP - 1)
        total += loss.item()
    opt.step()
    memory.clear()
    return total


if __name__ == "__main__":
    torch.manual_seed(23)
    net, memory = Projector(), GroupMemory()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 600)
    for g in range(600):
        value = group_step(net, opt, memory)
        sched.step()
        if g % 120 == 0:
            print(g, round(value, 3))
