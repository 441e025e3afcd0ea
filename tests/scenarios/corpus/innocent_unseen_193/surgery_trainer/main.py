# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn
import torch.nn.functional as F

from surgery import assign, project


class TopK:
    def __init__(self, k=3):
        self.k, self.entries = k, []

    def push(self, score, step, model):
        self.entries.append((score, step, copy.deepcopy(model.state_dict())))
        self.entries.sort(key=lambda e: e[:2])
        del self.entries[self.k:]


def main(steps=420):
    torch.manual_seed(0)
    w = torch.randn(12, 2)
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 2))
    params = list(model.parameters())
    opt = torch.optim.SGD(params, lr=0.02, momentum=0.9)
    keeper, curves = TopK(), {"reg": [], "sign": []}
    for step in range(steps):
        x = torch.randn(32, 12)
        y = x @ w
        out = model(x)
        losses = [F.smooth_l1_loss(out[:, 0], y[:, 0]),
                  F.binary_cross_entropy_with_logits(out[:, 1], (y[:, 1] > 0).float())]
        grads = [torch.autograd.grad(l, params, retain_graph=i + 1 < len(losses)) for i, l in enumerate(losses)]
        opt.zero_grad()
        assign(params, project(grads))
        opt.step()
        for k, l in zip(curves, losses):
            curves[k].append(l.detach())
        if step % 60 == 59:
            keeper.push(sum(c[-1].item() for c in curves.values()), step, model)
            print(step + 1, {k: torch.stack(c[-60:]).mean().item() for k, c in curves.items()})


if __name__ == "__main__":
    main()
