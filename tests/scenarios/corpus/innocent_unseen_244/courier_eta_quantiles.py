# gradwatch-corpus: kind=none
"""Courier arrival time bands; big logical batches are built from micro batches."""
from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class EtaConfig:
    districts: int = 30
    features: int = 11
    emb: int = 6
    width: int = 40
    micro: int = 32
    accumulate: int = 4
    micro_steps: int = 160
    quantiles: tuple[float, ...] = (0.1, 0.5, 0.95)
    clip: float = 1.0
    lr: float = 4e-3


@dataclass
class MicroBatch:
    origin: Tensor
    destination: Tensor
    context: Tensor
    minutes: Tensor


@dataclass
class WindowStats:
    losses: list[Tensor] = field(default_factory=list)
    late: int = 0
    seen: int = 0

    def note(self, loss: Tensor, bands: Tensor, minutes: Tensor) -> None:
        self.losses.append(loss.detach())
        self.late += int((minutes > bands.detach()[:, -1]).sum())
        self.seen += minutes.numel()

    def flush(self) -> tuple[float, float]:
        mean = torch.stack(self.losses).mean().item()
        late = self.late / self.seen
        self.losses.clear()
        self.late = 0
        self.seen = 0
        return mean, late


class EtaNet(nn.Module):
    def __init__(self, cfg: EtaConfig) -> None:
        super().__init__()
        self.place = nn.Embedding(cfg.districts, cfg.emb)
        self.body = nn.Sequential(nn.Linear(2 * cfg.emb + cfg.features, cfg.width), nn.SiLU())
        self.floor = nn.Linear(cfg.width, 1)
        self.gaps = nn.Linear(cfg.width, len(cfg.quantiles) - 1)

    def forward(self, b: MicroBatch) -> Tensor:
        z = self.body(torch.cat([self.place(b.origin), self.place(b.destination), b.context], dim=1))
        steps = torch.cat([self.floor(z), nn.functional.softplus(self.gaps(z))], dim=1)
        return steps.cumsum(dim=1)


async def trips(cfg: EtaConfig, out: asyncio.Queue, seed: int) -> None:
    gen = torch.Generator().manual_seed(seed)
    where = torch.randn(cfg.districts, 2, generator=gen)
    traffic = torch.rand(cfg.features, generator=gen)
    for _ in range(cfg.micro_steps):
        o = torch.randint(cfg.districts, (cfg.micro,), generator=gen)
        d = torch.randint(cfg.districts, (cfg.micro,), generator=gen)
        ctx = torch.rand(cfg.micro, cfg.features, generator=gen)
        delay = -torch.log(torch.rand(cfg.micro, generator=gen).clamp_min(1e-4)) * 0.3
        minutes = (where[o] - where[d]).norm(dim=1) + ctx @ traffic * 0.2 + delay
        await out.put(MicroBatch(o, d, ctx, minutes))
    await out.put(None)


class EtaTrainer:
    def __init__(self, cfg: EtaConfig) -> None:
        self.cfg = cfg
        self.net = EtaNet(cfg)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)
        self.q = torch.tensor(cfg.quantiles)
        self.window = WindowStats()
        self.pending = 0
        self.updates = 0

    def pinball(self, bands: Tensor, minutes: Tensor) -> Tensor:
        miss = minutes.unsqueeze(1) - bands
        return torch.where(miss >= 0, self.q * miss, (self.q - 1) * miss).mean()

    def micro_step(self, batch: MicroBatch) -> None:
        bands = self.net(batch)
        loss = self.pinball(bands, batch.minutes)
        (loss / self.cfg.accumulate).backward()
        self.window.note(loss, bands, batch.minutes)
        self.pending += 1
        if self.pending == self.cfg.accumulate:
            self.apply()

    def apply(self) -> None:
        nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.clip)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.pending = 0
        self.updates += 1
        if self.updates % 8 == 0:
            loss, late = self.window.flush()
            print(f"update {self.updates}: pinball {loss:.4f}, past the upper band {late:.1%}")


async def fit(cfg: EtaConfig) -> None:
    inbox: asyncio.Queue = asyncio.Queue(maxsize=5)
    producer = asyncio.create_task(trips(cfg, inbox, seed=91))
    trainer = EtaTrainer(cfg)
    while (batch := await inbox.get()) is not None:
        trainer.micro_step(batch)
    await producer


if __name__ == "__main__":
    torch.manual_seed(90)
    asyncio.run(fit(EtaConfig()))
