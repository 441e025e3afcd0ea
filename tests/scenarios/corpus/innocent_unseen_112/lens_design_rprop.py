# gradwatch-corpus: kind=none
"""Optimising a stack of thin aspheric surfaces by ray tracing, with a home-made Rprop.

Several fields (ray angles) each vote with the sign of their own gradient; the step sizes
grow while the votes keep agreeing with those of the step before.
"""
import torch
from torch.optim import Optimizer


class VotingRprop(Optimizer):
    def __init__(self, params, lr=1e-3, up=1.15, down=0.6, bounds=(1e-6, 2e-2)):
        super().__init__(params, dict(lr=lr, up=up, down=down, bounds=bounds))

    def collect(self):
        """Adds the signs of the gradients at hand to the ballot."""
        for group in self.param_groups:
            for p in group["params"]:
                st = self.state[p]
                if not st:
                    st["ballot"] = torch.zeros_like(p)
                    st["previous"] = torch.zeros_like(p)
                    st["size"] = torch.full_like(p, group["lr"])
                st["ballot"] += p.grad.sign()

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            lo, hi = group["bounds"]
            for p in group["params"]:
                st = self.state[p]
                vote = st["ballot"].sign()
                agree = vote * st["previous"]
                factor = torch.where(agree > 0, group["up"], torch.where(agree < 0, group["down"], 1.0))
                st["size"].mul_(factor).clamp_(lo, hi)
                p.sub_(vote * st["size"])
                st["previous"] = torch.where(agree < 0, torch.zeros_like(vote), vote)
                st["ballot"].zero_()


class Lens(torch.nn.Module):
    def __init__(self, surfaces=4):
        super().__init__()
        self.curv = torch.nn.Parameter(torch.linspace(0.06, -0.02, surfaces))
        self.asph = torch.nn.Parameter(torch.zeros(surfaces))
        self.gap = torch.nn.Parameter(torch.full((surfaces,), 0.8))
        self.register_buffer("power", torch.tensor([0.52, -0.62, 0.62, -0.52])[:surfaces])

    def forward(self, height, angle):
        """Paraxial trace with a cubic correction; returns landing heights on the sensor."""
        y, u = height, angle.expand_as(height)
        for k in range(len(self.curv)):
            bend = self.curv[k] * y + self.asph[k] * y ** 3
            u = u - self.power[k] * bend * (1 + 0.3 * bend ** 2)
            y = y + self.gap[k].abs() * u
        return y + 9.0 * u

    def strain(self):
        return 0.02 * self.curv.pow(2).sum() + 0.1 * (self.gap - 0.8).pow(2).mean()


def spot(landing):
    return (landing - landing.mean()).pow(2).mean()


def main(steps=360):
    torch.set_num_threads(1)
    torch.manual_seed(33)
    lens = Lens()
    opt = VotingRprop(lens.parameters(), lr=5e-4)
    fields = torch.tensor([0.0, 0.05, 0.1])
    focal = 14.0
    flips, last_signs = 0, None

    for step in range(steps):
        total = 0.0
        for angle in fields:
            aperture = torch.linspace(-1.2, 1.2, 15) + 0.02 * torch.randn(15)
            land = lens(aperture, angle)
            miss = (land.mean() - focal * angle).pow(2)
            loss = spot(land) + miss + lens.strain()
            opt.zero_grad()
            loss.backward()
            opt.collect()
            total += loss.item()
        signs = torch.cat([opt.state[p]["ballot"].sign().flatten() for p in lens.parameters()])
        if last_signs is not None:
            flips += (signs * last_signs < 0).sum().item()
        last_signs = signs
        opt.step()
        if step % 60 == 59:
            sizes = torch.cat([opt.state[p]["size"].flatten() for p in lens.parameters()])
            print(f"{step + 1:4d} merit {total / len(fields):.5f} flips {flips} median step {sizes.median().item():.2e}")

    with torch.no_grad():
        rays = torch.linspace(-1.2, 1.2, 41)
        print("rms spots", [round(spot(lens(rays, a)).sqrt().item(), 4) for a in fields])


if __name__ == "__main__":
    main()
