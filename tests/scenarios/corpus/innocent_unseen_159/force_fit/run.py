from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Step:
    k: int
    loss: float
    e: torch.Tensor
    f: torch.Tensor


def reference(pos):
    i, j = torch.triu_indices(pos.shape[1], pos.shape[1], 1)
    d = (pos[:, i] - pos[:, j]).norm(dim=-1).clamp_min(0.7)
    return ((1 - torch.exp(-1.2 * (d - 1.5))) ** 2).sum(1)


def clusters(n, batch=6, atoms=5):
    for _ in range(n):
        pos = 1.6 * torch.randn(batch, atoms, 3)
        p = pos.clone().requires_grad_()
        e = reference(p)
        (g,) = torch.autograd.grad(e.sum(), p)
        yield pos, e.detach(), -g


class Run:
    def __init__(self, net, lr, w=0.5):
        self.net, self.w = net, w
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def evaluate(self, pos):
        pos = pos.clone().requires_grad_()
        e = self.net(pos)
        (g,) = torch.autograd.grad(e.sum(), pos, create_graph=True)
        return e, -g

    def __call__(self, data):
        for k, (pos, e_ref, f_ref) in enumerate(data):
            e, f = self.evaluate(pos)
            loss = F.smooth_l1_loss(e, e_ref) + self.w * F.smooth_l1_loss(f, f_ref)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            yield Step(k, loss.item(), e, f)
