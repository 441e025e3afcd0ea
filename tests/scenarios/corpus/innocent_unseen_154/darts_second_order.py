# gradwatch-corpus: kind=none
# DARTS on a toy 1-D function: mixed operations, alphas trained by a one-step unrolled objective.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(41)
torch.set_num_threads(1)

OPS = [torch.sin, torch.tanh, F.relu, lambda x: x]


class MixedOp(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lins = nn.ModuleList(nn.Linear(i, o) for _ in OPS)

    def forward(self, x, weights):
        return sum(w * op(l(x)) for w, op, l in zip(weights, OPS, self.lins))


class Cell(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.a, self.b, self.out = MixedOp(1, h), MixedOp(h, h), nn.Linear(h, 1)

    def forward(self, x, alphas):
        w = F.softmax(alphas, dim=-1)
        return self.out(self.b(self.a(x, w[0]), w[1]))


class Architect:
    def __init__(self, model, alphas, eta):
        self.model, self.alphas, self.eta = model, alphas, eta
        self.opt = torch.optim.Adam([alphas], 1e-2, betas=(0.5, 0.999))

    def step(self, train, valid):
        names, params = zip(*self.model.named_parameters())
        inner = F.mse_loss(self.model(train[0], self.alphas), train[1])
        grads = torch.autograd.grad(inner, params, create_graph=True)
        unrolled = {n: p - self.eta * g for n, p, g in zip(names, params, grads)}
        outer = F.mse_loss(functional_call(self.model, unrolled, (valid[0], self.alphas)), valid[1])
        self.opt.zero_grad()
        self.alphas.grad = torch.autograd.grad(outer, self.alphas)[0]
        self.opt.step()
        return outer.item()


def batch(n):
    x = torch.rand(n, 1) * 6 - 3
    return x, torch.sin(2 * x) + 0.1 * torch.randn(n, 1)


model = Cell()
alphas = nn.Parameter(1e-3 * torch.randn(2, len(OPS)))
w_opt = torch.optim.SGD(model.parameters(), 0.03, momentum=0.9)
w_sched = torch.optim.lr_scheduler.CosineAnnealingLR(w_opt, 150, eta_min=1e-3)
architect = Architect(model, alphas, 0.03)

for it in range(150):
    train, valid = batch(32), batch(32)
    val = architect.step(train, valid)
    loss = F.mse_loss(model(train[0], alphas), train[1])
    w_opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    w_opt.step()
    w_sched.step()
    if it % 30 == 0:
        print(f"{it:3d} train {loss.item():.4f} unrolled val {val:.4f}")
print(F.softmax(alphas, -1).detach().numpy().round(3))
