# gradwatch-corpus: kind=none
"""Non-rigid point-set registration, solved coarse-to-fine with L-BFGS and strong Wolfe."""
import torch


class RBFWarp:
    """Affine map plus Gaussian bumps on a grid of control points."""

    def __init__(self, per_side, sigma):
        line = torch.linspace(-1.5, 1.5, per_side)
        self.centres = torch.cartesian_prod(line, line)
        self.sigma = sigma
        self.affine = torch.eye(2).requires_grad_()
        self.offset = torch.zeros(2, requires_grad=True)
        self.bumps = torch.zeros(len(self.centres), 2, requires_grad=True)

    def parameters(self):
        return [self.affine, self.offset, self.bumps]

    def basis(self, pts):
        return torch.exp(-torch.cdist(pts, self.centres).square() / (2 * self.sigma ** 2))

    def __call__(self, pts):
        return pts @ self.affine + self.offset + self.basis(pts) @ self.bumps

    def energy(self):
        return self.bumps.square().sum() + 0.1 * (self.affine - torch.eye(2)).square().sum()


class Objective:
    def __init__(self, warp, source, target, optimizer, smooth):
        self.warp, self.source, self.target = warp, source, target
        self.optimizer = optimizer
        self.smooth = smooth
        self.calls = 0
        self.last = None

    def chamfer(self, moved):
        d = torch.cdist(moved, self.target).square()
        return d.min(1).values.mean() + d.min(0).values.mean()

    def __call__(self):
        self.optimizer.zero_grad()
        moved = self.warp(self.source)
        self.last = self.chamfer(moved) + self.smooth * self.warp.energy()
        self.last.backward()
        self.calls += 1
        return self.last


def shapes(n=160):
    t = torch.rand(n) * 2 * torch.pi
    r = 1 + 0.25 * torch.sin(3 * t)
    source = torch.stack([t.cos(), t.sin()], 1)
    target = torch.stack([r * t.cos() + 0.3, 0.8 * r * t.sin() - 0.1], 1)
    return source, target + 0.01 * torch.randn(n, 2)


def register(source, target, levels=((3, 0.8, 1e-2), (5, 0.5, 3e-3)), rounds=35):
    for per_side, sigma, smooth in levels:
        warp = RBFWarp(per_side, sigma)
        opt = torch.optim.LBFGS(warp.parameters(), lr=0.5, max_iter=4, history_size=8,
                                line_search_fn="strong_wolfe")
        objective = Objective(warp, source, target, opt, smooth)
        best = []
        for r in range(rounds):
            value = opt.step(objective)
            best.append(value.detach())
            if r % 12 == 0:
                print(f"  grid {per_side} round {r:2d} energy {value.item():.5f}")
        with torch.no_grad():
            source = warp(source)
        print(f"grid {per_side}: {objective.calls} evaluations, best {torch.stack(best).min().item():.5f}")
    return source


if __name__ == "__main__":
    torch.manual_seed(44)
    src, tgt = shapes()
    aligned = register(src, tgt)
    print(f"mean nearest distance {torch.cdist(aligned, tgt).min(1).values.mean().item():.4f}")
