# gradwatch-corpus: kind=none
import collections

import torch
import torch.nn as nn
import torch.nn.functional as F

from moco import MoCo


class AverageMeter:
    def __init__(self, window=25):
        self.values = collections.deque(maxlen=window)

    def update(self, v):
        self.values.append(v.detach())

    @property
    def avg(self):
        return torch.stack(tuple(self.values)).mean().item()


def augment(x):
    mask = (torch.rand_like(x) > 0.2).float()
    return x * mask + 0.2 * torch.randn_like(x)


def main():
    torch.manual_seed(55)
    prototypes = torch.randn(20, 48)
    enc = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 32))
    model = MoCo(enc)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    loss_meter, acc_meter = AverageMeter(), AverageMeter()
    for step in range(150):
        x = prototypes[torch.randint(0, 20, (64,))] + 0.5 * torch.randn(64, 48)
        logits, labels = model(augment(x), augment(x))
        loss = F.cross_entropy(logits, labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss_meter.update(loss)
        acc_meter.update((logits.argmax(1) == labels).float().mean())
        if (step + 1) % 50 == 0:
            print(f"{step + 1} loss {loss_meter.avg:.4f} top1 {acc_meter.avg:.3f}")


if __name__ == "__main__":
    main()
