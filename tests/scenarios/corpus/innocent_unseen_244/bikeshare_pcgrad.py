# gradwatch-corpus: kind=none
"""Bike share docks: departures, returns and broken bikes, conflicting gradients are projected."""
from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

TaskLoss = Callable[[Tensor, Tensor], Tensor]

TASKS: dict[str, TaskLoss] = {
    "departures": lambda p, y: nn.functional.poisson_nll_loss(p, y),
    "returns": lambda p, y: nn.functional.poisson_nll_loss(p, y),
    "broken": lambda p, y: nn.functional.binary_cross_entropy_with_logits(p, y),
}


@dataclass
class DockConfig:
    stations: int = 45
    history: int = 8
    emb: int = 7
    width: int = 36
    batch: int = 72
    steps: int = 130
    lr: float = 2e-3
    log_every: int = 20


@dataclass
class ConflictLog:
    pairs: int = 0
    clashes: int = 0
    cosines: list[float] = field(default_factory=list)

    def record(self, cosine: Tensor) -> None:
        self.pairs += 1
        self.clashes += int(cosine.item() < 0)
        self.cosines.append(cosine.item())

    def take(self) -> tuple[float, float]:
        share = self.clashes / max(self.pairs, 1)
        mean = sum(self.cosines) / max(len(self.cosines), 1)
        self.pairs = 0
        self.clashes = 0
        self.cosines = []
        return share, mean


class DockNet(nn.Module):
    def __init__(self, cfg: DockConfig) -> None:
        super().__init__()
        self.station = nn.Embedding(cfg.stations, cfg.emb)
        self.past = nn.GRU(2, cfg.width, batch_first=True)
        self.joint = nn.Linear(cfg.width + cfg.emb, cfg.width)
        self.heads = nn.ModuleDict({name: nn.Linear(cfg.width, 1) for name in TASKS})

    def trunk_parameters(self) -> list[nn.Parameter]:
        return [*self.station.parameters(), *self.past.parameters(), *self.joint.parameters()]

    def forward(self, station: Tensor, flow: Tensor) -> dict[str, Tensor]:
        _, last = self.past(flow)
        z = torch.relu(self.joint(torch.cat([last[0], self.station(station)], dim=1)))
        return {name: head(z).squeeze(1) for name, head in self.heads.items()}


class ProjectingStep:
    def __init__(self, net: DockNet, lr: float, seed: int) -> None:
        self.net = net
        self.trunk = net.trunk_parameters()
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.order = random.Random(seed)
        self.log = ConflictLog()

    def flat_gradients(self, losses: Sequence[Tensor]) -> list[Tensor]:
        flat = []
        for k, (head, loss) in enumerate(zip(self.net.heads.values(), losses)):
            own = list(head.parameters())
            more = k < len(losses) - 1
            grads = torch.autograd.grad(loss, self.trunk + own, retain_graph=more)
            for p, g in zip(own, grads[len(self.trunk):]):
                p.grad = g
            flat.append(torch.cat([g.flatten() for g in grads[: len(self.trunk)]]))
        return flat

    def project(self, flat: list[Tensor]) -> Tensor:
        merged = torch.zeros_like(flat[0])
        for i, g in enumerate(flat):
            mine = g.clone()
            others = [j for j in range(len(flat)) if j != i]
            self.order.shuffle(others)
            for j in others:
                dot = torch.dot(mine, flat[j])
                self.log.record(dot / (mine.norm() * flat[j].norm() + 1e-9))
                if dot < 0:
                    mine -= dot / flat[j].pow(2).sum() * flat[j]
            merged += mine
        return merged

    def __call__(self, losses: Sequence[Tensor]) -> None:
        merged = self.project(self.flat_gradients(losses))
        at = 0
        for p in self.trunk:
            p.grad = merged[at: at + p.numel()].view_as(p)
            at += p.numel()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)


class City:
    def __init__(self, cfg: DockConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.pull = torch.randn(cfg.stations, 2, generator=self.gen) * 0.5

    def sample(self) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        n = self.cfg.batch
        station = torch.randint(self.cfg.stations, (n,), generator=self.gen)
        flow = torch.rand(n, self.cfg.history, 2, generator=self.gen)
        rate = torch.exp(self.pull[station] + flow.mean(dim=1))
        counts = torch.poisson(rate, generator=self.gen)
        wear = torch.sigmoid(rate.sum(dim=1) - 4)
        broken = (torch.rand(n, generator=self.gen) < wear).float()
        return station, flow, {"departures": counts[:, 0], "returns": counts[:, 1], "broken": broken}


if __name__ == "__main__":
    torch.manual_seed(818)
    cfg = DockConfig()
    city = City(cfg, seed=819)
    net = DockNet(cfg)
    step = ProjectingStep(net, cfg.lr, seed=820)
    for n in range(1, cfg.steps + 1):
        station, flow, labels = city.sample()
        out = net(station, flow)
        losses = [fn(out[name], labels[name]) for name, fn in TASKS.items()]
        step(losses)
        if n % cfg.log_every == 0:
            share, cosine = step.log.take()
            shown = " ".join(f"{name} {loss.item():.3f}" for name, loss in zip(TASKS, losses))
            print(f"{n:4d} {shown} clashes {share:.0%} cosine {cosine:+.2f}")
