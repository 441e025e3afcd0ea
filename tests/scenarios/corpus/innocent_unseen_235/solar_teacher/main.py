# gradwatch-corpus: kind=none
from __future__ import annotations

import copy
import io
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from student import SolarMixer
from teacher import EmaTeacher


@dataclass(frozen=True)
class SolarConfig:
    steps_in: int = 36
    inputs: int = 4
    horizon: int = 12
    labelled: int = 16
    unlabelled: int = 32
    updates: int = 100
    validate_every: int = 20
    decay: float = 0.97
    memory: int = 8
    lr: float = 1.5e-3
    seed: int = 23


def sky(n: int, cfg: SolarConfig, gen: torch.Generator) -> tuple[Tensor, Tensor]:
    total = cfg.steps_in + cfg.horizon
    start = torch.rand(n, 1, generator=gen)
    sun = torch.sin(torch.pi * (start + torch.arange(total) / 96.0)).clamp_min(0.0)
    cloud = torch.sigmoid(torch.cumsum(0.4 * torch.randn(n, total, generator=gen), dim=1))
    power = sun * (1 - 0.7 * cloud)
    temp = 0.5 * sun + 0.1 * torch.randn(n, total, generator=gen)
    wind = torch.randn(n, total, generator=gen)
    feats = torch.stack([power, sun, temp, wind], dim=-1)
    return feats[:, :cfg.steps_in], power[:, cfg.steps_in:]


def validate(model: torch.nn.Module, cfg: SolarConfig) -> float:
    gen = torch.Generator().manual_seed(cfg.seed + 100)
    x, y = sky(64, cfg, gen)
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        score = F.l1_loss(model(x), y).item()
    model.train(was_training)
    return score


def main() -> None:
    cfg = SolarConfig()
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed + 1)
    student = SolarMixer(cfg.steps_in, cfg.inputs, cfg.horizon)
    teacher = EmaTeacher(student, cfg.decay, cfg.memory)
    optim = torch.optim.AdamW(student.parameters(), lr=cfg.lr)
    best = float("inf")
    best_weights = copy.deepcopy(student.state_dict())

    for update in range(1, cfg.updates + 1):
        x, y = sky(cfg.labelled, cfg, gen)
        u, _ = sky(cfg.unlabelled, cfg, gen)
        target = teacher(u)
        supervised = F.l1_loss(student(x), y)
        gap = F.l1_loss(student(u + 0.05 * torch.randn(u.shape, generator=gen)), target)
        loss = supervised + teacher.confidence() * gap
        optim.zero_grad()
        loss.backward()
        optim.step()
        teacher.follow(student)
        teacher.note(gap.detach())
        if update % cfg.validate_every == 0:
            score = validate(teacher.net, cfg)
            if score < best:
                best = score
                best_weights = copy.deepcopy(teacher.net.state_dict())
            print(f"{update:4d}  loss {loss.item():.4f}  val {score:.4f}  conf {teacher.confidence():.2f}")

    buffer = io.BytesIO()
    torch.save({"weights": best_weights, "score": best}, buffer)
    print(f"best {best:.4f}, {buffer.tell() / 1024:.0f} kB")


if __name__ == "__main__":
    main()
