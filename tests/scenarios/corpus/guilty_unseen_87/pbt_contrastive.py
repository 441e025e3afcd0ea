# gradwatch-corpus: kind=graph-held
# holder: pop.members | member.perf | self.perf | m.perf | loser.perf | winner.perf
# first-bad: 1
# notice: 8
"""Population based training of small SimCLR encoders; the population shares one process."""
import copy
import random
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

POP, TICKS, READY = 4, 90, 15


class Encoder(nn.Module):
    def __init__(self, dim=24, width=48, out=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.LayerNorm(width), nn.GELU())
        self.proj = nn.Linear(width, out)

    def forward(self, x):
        return F.normalize(self.proj(self.trunk(x)), dim=-1)


def nt_xent(a, b, tau):
    z = torch.cat([a, b])
    sim = z @ z.t() / tau
    sim = sim.masked_fill(torch.eye(len(z), dtype=torch.bool), -1e9)
    n = len(a)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def views(n=32, dim=24):
    centre = torch.randn(8, dim)
    x = centre[torch.randint(0, 8, (n,))] + 0.3 * torch.randn(n, dim)
    drop = lambda v: v * (torch.rand_like(v) > 0.2) + 0.1 * torch.randn_like(v)
    return drop(x), drop(x)


@dataclass
class Member:
    name: str
    hparams: dict
    net: nn.Module = field(default_factory=Encoder)
    perf: float = 0.0
    age: int = 0

    def __post_init__(self):
        self.make_opt()

    def make_opt(self):
        self.opt = torch.optim.SGD(self.net.parameters(), lr=self.hparams["lr"], momentum=0.9)

    def step(self, batch):
        loss = nt_xent(self.net(batch[0]), self.net(batch[1]), self.hparams["tau"])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.eval(batch, loss)

    def eval(self, batch, loss):
        """Alignment of positives, smoothed; higher is better."""
        align = (self.net(batch[0]) * self.net(batch[1])).sum(-1).mean()  # <- culprit
        score = align - 0.05 * loss
        self.perf = score if self.age == 0 else 0.9 * self.perf + 0.1 * score  # <- culprit
        self.age += 1


class Population:
    def __init__(self, members):
        self.members = members

    def ranked(self):
        return sorted(self.members, key=lambda m: float(m.perf))

    def exploit_explore(self):
        order = self.ranked()
        loser, winner = order[0], order[-1]
        loser.net.load_state_dict(copy.deepcopy(winner.net.state_dict()))
        loser.hparams = {k: v * random.choice((0.8, 1.25)) for k, v in winner.hparams.items()}
        loser.make_opt()
        return f"{loser.name}<-{winner.name}"

    def tick(self):
        batch = views()
        for member in self.members:
            member.step(batch)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    random.seed(9)
    pop = Population([
        Member(f"m{i}", {"lr": 10 ** random.uniform(-2.5, -1), "tau": random.uniform(0.1, 0.6)})
        for i in range(POP)
    ])
    for t in range(1, TICKS + 1):
        pop.tick()
        if t % READY == 0:
            move = pop.exploit_explore()
            best = pop.ranked()[-1]
            print(f"tick {t:3d} {move} best {best.name} perf {float(best.perf):.3f} "
                  f"lr {best.hparams['lr']:.4f} tau {best.hparams['tau']:.2f}")


if __name__ == "__main__":
    main()
