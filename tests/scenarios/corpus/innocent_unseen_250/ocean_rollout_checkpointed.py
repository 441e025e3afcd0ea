# gradwatch-corpus: kind=none
"""Sea-surface temperature emulator, trained on checkpointed multi-day rollouts with validation at each epoch's end."""
import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


@dataclass
class EmulatorConfig:
    size: int = 12
    width: int = 8
    days: int = 4
    batch: int = 4
    epochs: int = 5
    batches: int = 20
    lr: float = 2e-3


class DayStep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1, padding_mode="circular"),
            nn.GELU(),
            nn.Conv2d(width, 1, 3, padding=1, padding_mode="circular"),
        )

    def forward(self, surface):
        return surface + self.net(surface)


class Emulator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.day = DayStep(cfg.width)

    def forward(self, surface, days):
        rollout = []
        for _ in range(days):
            if self.training:
                surface = checkpoint(self.day, surface, use_reentrant=False)
            else:
                surface = self.day(surface)
            rollout.append(surface)
        return torch.stack(rollout, dim=1)


class Ocean:
    def __init__(self, cfg):
        self.cfg = cfg

    def voyage(self):
        surface = torch.randn(self.cfg.batch, 1, self.cfg.size, self.cfg.size)
        days = []
        start = surface
        for _ in range(self.cfg.days):
            mixed = surface.roll(1, dims=-1) + surface.roll(1, dims=-2)
            surface = 0.6 * surface + 0.2 * mixed
            days.append(surface)
        return start, torch.stack(days, dim=1)


class EpochCache:
    """Forecasts of the running epoch, for the spatial error map."""

    def __init__(self):
        self.errors = []

    def keep(self, forecast, truth):
        self.errors.append((forecast - truth).detach().abs().mean(dim=(0, 1)))

    def error_map(self):
        return torch.stack(self.errors).mean(dim=0)

    def empty(self):
        self.errors = []


@torch.no_grad()
def validate(emulator, ocean, cfg):
    emulator.eval()
    losses = []
    for _ in range(3):
        start, truth = ocean.voyage()
        losses.append(nn.functional.mse_loss(emulator(start, cfg.days), truth))
    emulator.train()
    return torch.stack(losses).mean()


def main():
    torch.manual_seed(27)
    cfg = EmulatorConfig()
    ocean = Ocean(cfg)
    emulator = Emulator(cfg)
    optimizer = torch.optim.AdamW(emulator.parameters(), lr=cfg.lr)
    cache = EpochCache()
    best_score = float("inf")
    best_weights = None
    for epoch in range(cfg.epochs):
        for _ in range(cfg.batches):
            start, truth = ocean.voyage()
            forecast = emulator(start, cfg.days)
            loss = nn.functional.mse_loss(forecast, truth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            cache.keep(forecast, truth)
        worst = cache.error_map().max().item()
        cache.empty()
        score = validate(emulator, ocean, cfg).item()
        if score < best_score:
            best_score = score
            best_weights = copy.deepcopy(emulator.state_dict())
        print(f"epoch {epoch} train {loss.item():.4f} validation {score:.4f} worst cell {worst:.3f}")
    emulator.load_state_dict(best_weights)


if __name__ == "__main__":
    main()
