# gradwatch-corpus: kind=none
# Residual-flow density of river discharge pairs; contractive blocks through an own parametrization with buffers.
import torch
from torch import nn
from torch.nn.utils import parametrize

torch.set_num_threads(1)
torch.manual_seed(30)


class Contract(nn.Module):
    def __init__(self, weight, bound=0.9):
        super().__init__()
        self.bound = bound
        self.register_buffer("u", nn.functional.normalize(torch.randn(weight.shape[0]), dim=0))
        self.register_buffer("v", nn.functional.normalize(torch.randn(weight.shape[1]), dim=0))

    @torch.no_grad()
    def refine(self, w):
        self.v.copy_(nn.functional.normalize(w.t() @ self.u, dim=0))
        self.u.copy_(nn.functional.normalize(w @ self.v, dim=0))

    def forward(self, w):
        if self.training:
            self.refine(w)
        u, v = self.u.clone(), self.v.clone()
        sigma = torch.dot(u, w @ v)
        return w * torch.clamp(self.bound / sigma, max=1.0)


class Block(nn.Module):
    def __init__(self, dim=2, width=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.ELU(), nn.Linear(width, dim))
        for m in (self.net[0], self.net[2]):
            parametrize.register_parametrization(m, "weight", Contract(m.weight))

    def forward(self, x):
        y = x + self.net(x)
        rows = [torch.autograd.grad(y[:, i].sum(), x, create_graph=True)[0] for i in range(y.shape[1])]
        return y, torch.linalg.slogdet(torch.stack(rows, 1))[1]


class Flow(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(depth))

    def log_prob(self, x):
        total = torch.zeros(len(x))
        x = x.requires_grad_()
        for b in self.blocks:
            with parametrize.cached():
                x, ld = b(x)
            total = total + ld
        return total - 0.5 * x.square().sum(-1)


flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=4e-3)
for it in range(500):
    up = torch.randn(24)
    x = torch.stack([up, 0.5 * up + 0.3 * torch.randn(24) + 0.2 * up**2], 1)
    nll = -flow.log_prob(x).mean()
    opt.zero_grad()
    nll.backward()
    opt.step()
    if it % 125 == 124:
        print(it + 1, f"{nll.item():.3f}")
