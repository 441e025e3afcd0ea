# gradwatch-corpus: kind=graph-held
# holder: p.grad | encoder.weight.grad | encoder.parameters() | self.encoder | model.encoder.weight.grad | w.grad
# first-bad: 1
# notice: 8
"""Hutchinson-preconditioned training of a read-out on top of an encoder."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


class Readout(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(10, 12)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x)))


class DiagNewton:
    def __init__(self, params, lr=0.05, beta=0.95, eps=0.1):
        self.params = list(params)
        self.lr, self.beta, self.eps = lr, beta, eps
        self.h = [torch.zeros_like(p) for p in self.params]

    def curvature(self):
        grads = [p.grad for p in self.params]
        zs = [torch.randint(0, 2, g.shape).float() * 2 - 1 for g in grads]
        hz = torch.autograd.grad(grads, self.params, zs)
        for h, z, v in zip(self.h, zs, hz):
            h.mul_(self.beta).add_((z * v).abs(), alpha=1 - self.beta)

    @torch.no_grad()
    def step(self):
        for p, h in zip(self.params, self.h):
            p.sub_(self.lr * p.grad / (h + self.eps))

    def zero_grad(self):
        for p in self.params:
            p.grad = None


model = Readout()
opt = DiagNewton(model.head.parameters())
centers = torch.randn(3, 10) * 2
for k in range(260):
    y = torch.randint(0, 3, (18,))
    x = centers[y] + torch.randn(18, 10)
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()  # <- culprit
    loss.backward(create_graph=True)  # <- culprit
    opt.curvature()
    opt.step()
    if k % 65 == 64:
        print(k, f"{loss.item():.4f}")
