# gradwatch-corpus: kind=none
"""Deep equilibrium classifier with implicit differentiation through a backward hook."""
import torch
import torch.nn.functional as F
from torch import nn


def anderson(f, z0, m=4, max_iter=18, tol=1e-4, ridge=1e-4):
    shape = z0.shape
    n = shape[0]
    d = z0[0].numel()
    zs = torch.zeros(n, m, d)
    fs = torch.zeros(n, m, d)
    zs[:, 0] = z0.reshape(n, d)
    fs[:, 0] = f(z0).reshape(n, d)
    zs[:, 1] = fs[:, 0]
    fs[:, 1] = f(fs[:, 0].view(shape)).reshape(n, d)
    for k in range(2, max_iter):
        live = min(k, m)
        gap = fs[:, :live] - zs[:, :live]
        h = gap @ gap.transpose(1, 2) + ridge * torch.eye(live)
        alpha = torch.linalg.solve(h, torch.ones(n, live, 1))
        alpha = alpha / alpha.sum(1, keepdim=True)
        slot = k % m
        zs[:, slot] = (alpha * fs[:, :live]).sum(1)
        fs[:, slot] = f(zs[:, slot].view(shape)).reshape(n, d)
        err = (fs[:, slot] - zs[:, slot]).norm() / (1e-5 + fs[:, slot].norm())
        if err < tol:
            break
    return fs[:, slot].view(shape)


class Equilibrium(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.utils.parametrizations.spectral_norm(nn.Linear(dim, dim, bias=False))
        self.norm = nn.LayerNorm(dim)
        self.hook = None
        self.backward_residuals = []

    def cell(self, z, injection):
        return torch.tanh(0.8 * self.a(z) + injection)

    def forward(self, x, z_start):
        injection = self.norm(x)
        frozen = injection.detach()
        with torch.no_grad():
            z = anderson(lambda u: self.cell(u, frozen), z_start)
        z = self.cell(z, injection)
        if not z.requires_grad:
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.cell(z0, frozen)

        def implicit(grad):
            if self.hook is not None:
                self.hook.remove()
                self.hook = None
            total = grad
            for _ in range(12):
                vjp, = torch.autograd.grad(f0, z0, total, retain_graph=True)
                total = grad + vjp
            self.backward_residuals.append(float((total - grad - vjp).norm()))
            return total

        self.hook = z.register_hook(implicit)
        return z


class Classifier(nn.Module):
    def __init__(self, d, dim, classes):
        super().__init__()
        self.lift = nn.Linear(d, dim)
        self.core = Equilibrium(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x, z_start):
        z = self.core(self.lift(x), z_start)
        return self.head(z), z


def spirals(n):
    y = torch.randint(0, 3, (n,))
    r = torch.rand(n)
    angle = 4 * r + 2.094 * y + 0.1 * torch.randn(n)
    return torch.stack([r * angle.cos(), r * angle.sin()], 1), y


def main():
    torch.manual_seed(19)
    dim = 24
    batch = 32
    model = Classifier(2, dim, 3)
    opt = torch.optim.Adam(model.parameters(), lr=8e-3)
    z_start = torch.zeros(batch, dim)
    for it in range(90):
        x, y = spirals(batch)
        logits, z = model(x, z_start)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        z_start = z.detach().mean(0, keepdim=True).expand(batch, dim)
        if it % 15 == 14:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"{it + 1:3d} loss {loss.item():.3f} acc {acc:.3f} solves {len(model.core.backward_residuals)}")
            model.core.backward_residuals.clear()


if __name__ == "__main__":
    main()
