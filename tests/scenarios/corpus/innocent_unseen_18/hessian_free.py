# gradwatch-corpus: kind=none
"""Truncated Newton with conjugate gradients and Hessian-vector products, for a small tanh net (after Martens 2010).
Damping is adapted by the ratio of the actual to the predicted decrease."""
import torch
import torch.nn as nn


def flat(ts):
    return torch.cat([t.reshape(-1) for t in ts])


def unflat(v, like):
    out, at = [], 0
    for p in like:
        out.append(v[at:at + p.numel()].view_as(p))
        at += p.numel()
    return out


class Curvature:
    """H v for one batch; the gradient's graph is made once and walked for each product."""

    def __init__(self, loss, params, damping):
        self.params = params
        self.damping = damping
        self.grads = torch.autograd.grad(loss, params, create_graph=True)
        self.g = flat(self.grads).detach()

    def __matmul__(self, v):
        dot = sum((g * u).sum() for g, u in zip(self.grads, unflat(v, self.params)))
        hv = torch.autograd.grad(dot, self.params, retain_graph=True)
        return flat(hv) + self.damping * v


def conjugate_gradient(A, b, x0, iters=6, tol=1e-4):
    x = x0.clone()
    r = b - A @ x
    p = r.clone()
    rs = r @ r
    for _ in range(iters):
        Ap = A @ p
        curv = p @ Ap
        if curv <= 0:
            break
        alpha = rs / curv
        x = x + alpha * p
        r = r - alpha * Ap
        rs_new = r @ r
        if rs_new.sqrt() < tol:
            break
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x


class TruncatedNewton(torch.optim.Optimizer):
    def __init__(self, params, damping=1.0, warm=0.7, max_norm=1.0):
        super().__init__(params, dict(damping=damping, warm=warm, max_norm=max_norm))
        self.group = self.param_groups[0]
        n = sum(p.numel() for p in self.group["params"])
        self.direction = torch.zeros(n)

    def step(self, closure):
        grp = self.group
        ps = grp["params"]
        with torch.enable_grad():
            loss = closure()
        before = loss.item()
        A = Curvature(loss, ps, grp["damping"])
        d = conjugate_gradient(A, -A.g, grp["warm"] * self.direction)
        scale = min(1.0, grp["max_norm"] / (d.norm().item() + 1e-12))
        d = scale * d
        predicted = (A.g @ d + 0.5 * d @ (A @ d)).item()
        del A
        with torch.no_grad():
            for p, u in zip(ps, unflat(d, ps)):
                p.add_(u)
            after = closure().item()
            ratio = (after - before) / min(predicted, -1e-12)
            if ratio < 0.25:
                grp["damping"] = min(grp["damping"] * 1.5, 1e3)
            elif ratio > 0.75:
                grp["damping"] = max(grp["damping"] / 1.5, 1e-3)
            if after > before:
                for p, u in zip(ps, unflat(d, ps)):
                    p.sub_(u)
        self.direction = d
        return before


def spirals(n):
    y = torch.randint(2, (n,))
    r = torch.rand(n) * 2 + 0.2
    a = 2.2 * r + torch.pi * y
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.04 * torch.randn(n, 2), torch.where(torch.rand(n) < 0.08, 1 - y, y)


def main(steps=250):
    torch.manual_seed(8)
    x, y = spirals(512)
    net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 2))
    opt = TruncatedNewton(net.parameters())
    curve = []
    for it in range(steps):
        idx = torch.randint(len(x), (256,))

        def closure():
            return nn.functional.cross_entropy(net(x[idx]), y[idx])

        curve.append(opt.step(closure))
        if it % 50 == 0:
            with torch.no_grad():
                acc = (net(x).argmax(1) == y).float().mean().item()
            print(f"{it:4d}  loss {curve[-1]:.4f}  acc {acc:.3f}  damping {opt.group['damping']:.4f}")


if __name__ == "__main__":
    main()
