# gradwatch-corpus: kind=none
"""Steering and braking from one encoder; conflicting task gradients are projected."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)


class Driver(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = nn.Sequential(nn.Linear(14, 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU())
        self.steer, self.brake = nn.Linear(12, 1), nn.Linear(12, 1)

    def forward(self, x):
        h = self.eye(x)
        return self.steer(h).squeeze(1), self.brake(h).squeeze(1)


def flat_grad(params):
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params])


def scatter(params, flat):
    at = 0
    for p in params:
        p.grad = flat[at: at + p.numel()].view_as(p).clone()
        at += p.numel()


def project(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        for j, h in enumerate(grads):
            if i != j and (dot := g @ h) < 0:
                g -= dot / h.pow(2).sum().clamp(min=1e-12) * h
        out.append(g)
    return sum(out)


def pc_step(params, opt, losses):
    grads = []
    for k, loss in enumerate(losses):
        opt.zero_grad()
        loss.backward(retain_graph=k + 1 < len(losses))
        grads.append(flat_grad(params))
    scatter(params, project(grads))
    opt.step()


net = Driver()
params = list(net.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
road = torch.randn(14)
for it in range(600):
    x = torch.randn(24, 14)
    s, b = net(x)
    losses = (
        nn.functional.mse_loss(s, torch.tanh(x @ road)),
        nn.functional.binary_cross_entropy_with_logits(b, (x[:, 0] + x[:, 1] > 0).float()),
    )
    pc_step(params, opt, losses)
    if it % 120 == 0:
        print(it, [round(l.item(), 4) for l in losses])
