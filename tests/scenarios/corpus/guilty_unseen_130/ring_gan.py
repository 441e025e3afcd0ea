# gradwatch-corpus: kind=graph-held
# holder: log.curves["gap"] | self.curves["gap"] | game.log.curves["gap"] | log.curves | self.log.curves
# first-bad: 1
# notice: 8
import math
from collections import defaultdict
from dataclasses import dataclass, field
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Log:
    curves: dict = field(default_factory=lambda: defaultdict(list))

    def put(self, **values):
        for k, v in values.items():
            self.curves[k].append(v)  # <- culprit

    def tail(self, k, n=20):
        part = self.curves[k][-n:]
        return float(sum(part) / len(part))


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.LeakyReLU(0.2), nn.Linear(32, o))


class Game:
    def __init__(self):
        self.g, self.d = mlp(4, 2), mlp(2, 1)
        self.g_opt = torch.optim.Adam(self.g.parameters(), 1e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.d.parameters(), 1e-3, betas=(0.5, 0.9))
        self.log = Log()

    def real(self, n=32):
        a = torch.randint(0, 8, (n,)) * (math.pi / 4)
        return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)

    def judge(self):
        r = self.d(self.real())
        f = self.d(self.g(torch.randn(32, 4)).detach())
        loss = F.softplus(-r).mean() + F.softplus(f).mean()
        self.d_opt.zero_grad()
        loss.backward()
        self.d_opt.step()
        self.log.put(d=loss.item(), gap=r.mean() - f.mean())  # <- culprit

    def forge(self):
        loss = F.softplus(-self.d(self.g(torch.randn(32, 4)))).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.log.put(g=loss.item())


torch.manual_seed(0)
game = Game()
for rnd in range(350):
    game.judge()
    game.forge()
    if rnd % 70 == 0:
        print(rnd, game.log.tail("d"), game.log.tail("g"), game.log.tail("gap"))
