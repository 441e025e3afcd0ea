# gradwatch-corpus: kind=none
"""1-D wave equation with soft constraints and self-adaptive weights."""
import torch
torch.set_num_threads(1)

torch.manual_seed(3)


class Field(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = torch.nn.ModuleList([torch.nn.Linear(2, 20), torch.nn.Linear(20, 20), torch.nn.Linear(20, 1)])

    def forward(self, x, t):
        h = torch.stack([x, t], -1)
        for lin in self.stack[:-1]:
            h = torch.sin(lin(h))
        return self.stack[-1](h)[..., 0]


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Problem:
    def __init__(self):
        self.u = Field()
        self.log_w = torch.nn.Parameter(torch.zeros(3))
        self.terms = {}

    def evaluate(self):
        x, t = torch.rand(24, requires_grad=True), torch.rand(24, requires_grad=True)
        u = self.u(x, t)
        self.terms["pde"] = (d(d(u, t), t) - d(d(u, x), x)).square().mean()
        x0 = torch.rand(16)
        self.terms["start"] = (self.u(x0, torch.zeros(16)) - torch.sin(3.1416 * x0)).square().mean()
        tb = torch.rand(16)
        self.terms["wall"] = self.u(torch.zeros(16), tb).square().mean() + self.u(torch.ones(16), tb).square().mean()
        w = torch.exp(-self.log_w)
        return (w * torch.stack(list(self.terms.values()))).sum() + self.log_w.sum() * 0.1


prob = Problem()
opt = torch.optim.Adam([*prob.u.parameters(), prob.log_w], lr=1e-3)
for it in range(600):
    opt.zero_grad()
    loss = prob.evaluate()
    loss.backward()
    opt.step()
    if it % 150 == 0:
        print(it, {k: v.item() for k, v in prob.terms.items()})
