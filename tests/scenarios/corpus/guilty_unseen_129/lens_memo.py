# gradwatch-corpus: kind=second-backward
# holder: memo.store | self.store | memo.store["zernike"] | bench.memo.store | basis
# first-bad: 41
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)

REGISTRY = {}


def component(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


class Memo:
    def __init__(self):
        self.store = {}

    def get(self, key, make):
        if key not in self.store:
            self.store[key] = make()  # <- culprit
        return self.store[key]


@component("flat")
class Flat(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.level = nn.Parameter(torch.zeros(rows))

    def basis(self):
        return self.level.unsqueeze(1)


@component("zernike")
class Zernike(nn.Module):
    def __init__(self, rows, order):
        super().__init__()
        self.warp = nn.Parameter(torch.ones(order))
        self.register_buffer("r", torch.linspace(0, 1, rows))

    def basis(self):
        k = torch.arange(1, len(self.warp) + 1)
        return torch.cos(self.r[:, None] * k * self.warp)


class Corrector(nn.Module):
    def __init__(self, surfaces):
        super().__init__()
        self.surfaces = nn.ModuleDict({s["name"]: REGISTRY[s["name"]](**{k: v for k, v in s.items() if k != "name"})
                                       for s in surfaces})
        self.gain = nn.Linear(4, 1)
        self.active = ["flat"]

    def forward(self, memo, spots):
        shape = 0
        for name in self.active:
            surf = self.surfaces[name]
            b = surf.basis() if name == "flat" else memo.get(name, surf.basis)
            shape = shape + b.mean(1)
        return self.gain(spots).squeeze(1)[:, None] + shape


class Stages:
    def __init__(self, plan):
        self.plan = dict(plan)

    def apply(self, step, model):
        if step in self.plan:
            model.active = self.plan[step]


class Bench:
    def __init__(self):
        self.memo = Memo()
        self.model = Corrector([{"name": "flat", "rows": 10}, {"name": "zernike", "rows": 10, "order": 5}])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.stages = Stages({40: ["flat", "zernike"]})

    def run(self, n):
        for step in range(n):
            self.stages.apply(step, self.model)
            spots = torch.randn(14, 4)
            wave = spots[:, :1] * 0.5 + torch.linspace(0, 1, 10).cos()
            loss = (self.model(self.memo, spots) - wave).square().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


print(Bench().run(400))
