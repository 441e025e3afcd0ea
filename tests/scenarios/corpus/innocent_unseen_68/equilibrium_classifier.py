# gradwatch-corpus: kind=none
"""Deep equilibrium classifier: fixed point without a tape, implicit gradient by a hook, warm starts per sample."""

import torch
from torch import nn


def fixed_point(f, z, iters, tol=1e-4):
    for n in range(iters):
        z_next = f(z)
        gap = (z_next - z).norm() / (1e-8 + z_next.norm())
        z = z_next
        if gap < tol:
            break
    return z, n + 1


class Cell(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Linear(d, d, bias=False)
        self.norm = nn.LayerNorm(d)
        nn.init.normal_(self.w.weight, std=0.05)

    def forward(self, z, x):
        return torch.tanh(self.norm(x + self.w(z)))


class Equilibrium(nn.Module):
    def __init__(self, d, forward_iters=25, backward_iters=20):
        super().__init__()
        self.cell = Cell(d)
        self.iters = forward_iters, backward_iters
        self.warm = {}
        self.hook = None
        self.stats = {"forward": [], "backward": []}

    def start(self, x, ids):
        rows = [self.warm.get(i) for i in ids]
        return torch.stack([torch.zeros_like(x[0]) if r is None else r for r in rows])

    def forward(self, x, ids=None):
        z = torch.zeros_like(x) if ids is None else self.start(x, ids)
        with torch.no_grad():
            z, used = fixed_point(lambda u: self.cell(u, x), z, self.iters[0])
        self.stats["forward"].append(used)
        z = self.cell(z, x)
        if not torch.is_grad_enabled():
            return z

        z0 = z.detach().clone().requires_grad_()
        f0 = self.cell(z0, x.detach())

        def implicit(grad):
            def vjp(y):
                return torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad
            g, used = fixed_point(vjp, grad, self.iters[1])
            self.stats["backward"].append(used)
            return g

        if self.hook is not None:
            self.hook.remove()
        self.hook = z.register_hook(implicit)
        if ids is not None:
            self.warm.update(zip(ids, z.detach().unbind()))
        return z


class Classifier(nn.Module):
    def __init__(self, d_in=8, d=24, classes=3):
        super().__init__()
        self.inject = nn.Linear(d_in, d)
        self.eq = Equilibrium(d)
        self.head = nn.Linear(d, classes)

    def forward(self, x, ids=None):
        return self.head(self.eq(self.inject(x), ids))


def blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(3, 8, generator=torch.Generator().manual_seed(99))
    y = torch.randint(0, 3, (n,), generator=g)
    return centres[y] + 0.9 * torch.randn(n, 8, generator=g), y


def run(steps=250, batch=24):
    torch.set_num_threads(1)
    torch.manual_seed(5)
    X, Y = blobs(240, 1)
    Xv, Yv = blobs(200, 2)
    model = Classifier()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(steps):
        ids = torch.randperm(len(X))[:batch]
        loss = nn.functional.cross_entropy(model(X[ids], ids.tolist()), Y[ids])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 50 == 49:
            with torch.no_grad():
                acc = (model(Xv).argmax(1) == Yv).float().mean().item()
            fw, bw = (sum(v[-50:]) / 50 for v in model.eq.stats.values())
            print(f"{step + 1}: loss {loss.item():.3f} val {acc:.3f} solver {fw:.1f}/{bw:.1f} warm {len(model.eq.warm)}")


if __name__ == "__main__":
    run()
