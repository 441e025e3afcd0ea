# gradwatch-corpus: kind=second-backward
# holder: stiffness
# first-bad: 12
"""Fit a radial + free-form distortion model of a lens with L-BFGS, in two stages."""
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Lens(nn.Module):
    def __init__(self, grid=7):
        super().__init__()
        self.focal = nn.Parameter(torch.tensor([0.9, 0.9]))
        self.centre = nn.Parameter(torch.zeros(2))
        self.radial = nn.Parameter(torch.zeros(3))
        self.field = nn.Parameter(torch.zeros(1, 2, grid, grid))

    def forward(self, rays, freeform):
        r2 = rays.pow(2).sum(1, keepdim=True)
        poly = 1 + self.radial[0] * r2 + self.radial[1] * r2 ** 2 + self.radial[2] * r2 ** 3
        uv = self.focal * rays * poly + self.centre
        if freeform:
            at = rays.view(1, 1, -1, 2)
            bump = nn.functional.grid_sample(self.field, at, align_corners=True)
            uv = uv + bump[0, :, 0].t()
        return uv

    def roughness(self):
        f = self.field
        lap = (4 * f[..., 1:-1, 1:-1] - f[..., :-2, 1:-1] - f[..., 2:, 1:-1]
               - f[..., 1:-1, :-2] - f[..., 1:-1, 2:])
        return lap.pow(2).sum() + 0.1 * f.pow(2).sum()


def shoot(n, gen):
    rays = torch.rand(n, 2, generator=gen) * 1.6 - 0.8
    r2 = rays.pow(2).sum(1, keepdim=True)
    uv = torch.tensor([1.1, 1.05]) * rays * (1 - 0.21 * r2 + 0.05 * r2 ** 2)
    uv = uv + 0.02 * torch.sin(3 * rays.flip(1)) + torch.tensor([0.01, -0.02])
    return rays, uv + 0.002 * torch.randn(n, 2, generator=gen)


def huber(err, k=0.05):
    a = err.norm(dim=1)
    return torch.where(a < k, 0.5 * a ** 2, k * (a - 0.5 * k)).mean()


def coarse_stage(lens, rays, uv, rounds):
    opt = torch.optim.LBFGS([lens.focal, lens.centre, lens.radial], lr=0.5, max_iter=4)

    def closure():
        opt.zero_grad()
        loss = huber(lens(rays, False) - uv)
        loss.backward()
        return loss

    for k in range(rounds):
        loss = opt.step(closure)
        if k % 4 == 0:
            print(f"coarse {k:2d} {loss.item():.3e}")


def fine_stage(lens, rays, uv, rounds, weight=1e-3):
    opt = torch.optim.LBFGS(lens.parameters(), lr=0.7, max_iter=6, line_search_fn="strong_wolfe")
    for k in range(rounds):
        stiffness = weight * lens.roughness()  # <- culprit

        def closure():
            opt.zero_grad()
            loss = huber(lens(rays, True) - uv) + stiffness  # <- culprit
            loss.backward()  # <- culprit
            return loss

        loss = opt.step(closure)
        if k % 10 == 0:
            print(f"fine {k:2d} {loss.item():.3e}")


def main():
    gen = torch.Generator().manual_seed(8)
    rays, uv = shoot(400, gen)
    lens = Lens()
    coarse_stage(lens, rays, uv, rounds=12)
    print("focal", [round(v, 4) for v in lens.focal.tolist()])
    fine_stage(lens, rays, uv, rounds=60)
    with torch.no_grad():
        rms = (lens(rays, True) - uv).pow(2).mean().sqrt()
    print(f"rms {rms.item():.5f}")


if __name__ == "__main__":
    main()
