# gradwatch-corpus: kind=none
# about: the loss tensor itself goes to ReduceLROnPlateau (it keeps a float), to a moving normalizer used in the loss, and to moving averages, all updated in place under no_grad
"""Trade-flow gravity model: bilateral volumes as a neural gravity equation with sanctions dummies."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1807)
COUNTRIES, PAIRS = 70, 3000


class MovingScale(nn.Module):
    """Keeps the recent size of what passes and divides by it."""

    def __init__(self, names, rate=0.05):
        super().__init__()
        self.slot = {n: i for i, n in enumerate(names)}
        self.register_buffer("size", torch.ones(len(names)))
        self.rate = rate

    @torch.no_grad()
    def follow(self, name, term):
        self.size[self.slot[name]].lerp_(term.abs(), self.rate)

    def forward(self, **terms):
        total = 0
        for name, term in terms.items():
            self.follow(name, term)
            total = total + term / self.size[self.slot[name]].clone().clamp_min(1e-3)
        return total


class AverageMixin:
    def __init__(self, *a, **kw):
        super().__init__(*a, **kw)
        self.averages = {}

    def log(self, **kv):
        with torch.no_grad():
            for k, v in kv.items():
                self.averages[k] = 0.97 * self.averages[k] + 0.03 * v if k in self.averages else v + 0


class PlateauMixin:
    def arm(self, opt):
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.7, patience=25)


class Gravity(nn.Module):
    def __init__(self, d=10):
        super().__init__()
        self.seller, self.buyer = nn.Embedding(COUNTRIES, d), nn.Embedding(COUNTRIES, d)
        self.link = nn.Sequential(nn.Linear(2 * d + 2, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, i, j, extra):
        return self.link(torch.cat([self.seller(i), self.buyer(j), extra], 1)).squeeze(1)


class Desk(AverageMixin, PlateauMixin):
    def __init__(self):
        super().__init__()
        self.model, self.scale = Gravity(), MovingScale(["flow", "mass"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.arm(self.opt)

    def day(self, i, j, extra, volume):
        out = self.model(i, j, extra)
        flow = F.poisson_nll_loss(out, volume)
        mass = (self.model.seller(i).pow(2).sum(1) + self.model.buyer(j).pow(2).sum(1)).mean()
        loss = self.scale(flow=flow, mass=0.01 * mass)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.plateau.step(loss)
        self.log(loss=loss, flow=flow)


def main():
    i, j = torch.randint(COUNTRIES, (2, PAIRS))
    size = torch.randn(COUNTRIES).exp()
    distance, banned = torch.rand(PAIRS), (torch.rand(PAIRS) < 0.1).float()
    rate = size[i] * size[j] / (0.3 + distance) * (1 - 0.8 * banned)
    volume = torch.poisson(rate.clamp(max=40.0))
    extra = torch.stack([distance.log(), banned], 1)
    desk = Desk()
    for n in range(350):
        pick = torch.randint(PAIRS, (128,))
        desk.day(i[pick], j[pick], extra[pick], volume[pick])
        if n % 70 == 0:
            a = desk.averages
            print(f"{n:4d} loss {a['loss']:.4f} flow {a['flow']:.4f} lr {desk.opt.param_groups[0]['lr']:.2e} scale {desk.scale.size.tolist()}")


if __name__ == "__main__":
    main()
