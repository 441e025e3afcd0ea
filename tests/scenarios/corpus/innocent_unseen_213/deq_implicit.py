# gradwatch-corpus: kind=none
"""Deep equilibrium classifier with implicit gradients through a hook on the fixed point."""
import torch
import torch.nn.functional as F
from torch import nn


class Cell(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.utils.parametrizations.spectral_norm(nn.Linear(d, d, bias=False))
        self.u = nn.Linear(2, d)

    def forward(self, z, x):
        return torch.tanh(0.8 * self.w(z) + self.u(x))


class DEQ(nn.Module):
    def __init__(self, d=24, iters=12):
        super().__init__()
        self.cell, self.iters = Cell(d), iters
        self.hook = None
        self.warm = None
        self.residuals = []

    def solve(self, f, z):
        for _ in range(self.iters):
            z = f(z)
        return z

    def forward(self, x):
        with torch.no_grad():
            z0 = self.warm if self.warm is not None and len(self.warm) == len(x) else x.new_zeros(len(x), self.cell.u.out_features)
            z = self.solve(lambda v: self.cell(v, x), z0)
            self.warm = z
        z = self.cell(z, x)
        if not self.training:
            return z
        base = z.detach().requires_grad_()
        f = self.cell(base, x)

        def implicit(grad):
            if self.hook is not None:
                self.hook.remove()
                self.hook = None
            g = self.solve(lambda v: torch.autograd.grad(f, base, v, retain_graph=True)[0] + grad, torch.zeros_like(grad))
            self.residuals.append((g - grad).norm().item())
            return g

        self.hook = z.register_hook(implicit)
        return z


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.deq = DEQ()
        self.out = nn.Linear(24, 2)

    def forward(self, x):
        return self.out(self.deq(x))


def spirals(n):
    t = torch.rand(n) * 6 + 0.5
    y = torch.randint(0, 2, (n,))
    a = t + y * 3.1416
    return torch.stack([t * a.cos(), t * a.sin()], 1) / 4 + 0.03 * torch.randn(n, 2), y


def main():
    torch.manual_seed(13)
    model = Classifier()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(4):
        model.train()
        model.deq.residuals.clear()
        hits = 0
        for _ in range(25):
            x, y = spirals(96)
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits += (logits.argmax(1) == y).sum()
        print(f"epoch {epoch} loss {loss.item():.3f} acc {hits.item() / 2400:.3f} adj {sum(model.deq.residuals) / 25:.4f}")


if __name__ == "__main__":
    main()
