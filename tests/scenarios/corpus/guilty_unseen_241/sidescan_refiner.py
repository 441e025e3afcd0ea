# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
"""Despeckles synthetic side-scan sonar strips; an adversarial judge joins after a warm-up."""
import torch
from torch import nn
import torch.nn.functional as F


class SeabedStrips:
    def __init__(self, seed, width=64):
        self.rng = torch.Generator().manual_seed(seed)
        self.width = width

    def __iter__(self):
        return self

    def __next__(self):
        steps = torch.randn(16, 1, self.width, generator=self.rng).cumsum(-1) * 0.15
        clean = torch.sigmoid(steps)
        speckle = torch.rand(clean.shape, generator=self.rng).clamp_min(1e-3).log().neg().sqrt()
        return clean, clean * speckle


class Refiner(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.down = nn.Conv1d(1, ch, 5, padding=2)
        self.mid = nn.Conv1d(ch, ch, 5, padding=4, dilation=2)
        self.up = nn.Conv1d(ch, 1, 5, padding=2)

    def forward(self, strip):
        h = F.elu(self.down(strip))
        h = h + F.elu(self.mid(h))
        return torch.sigmoid(self.up(h))


class Judge(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(1, ch, 5, stride=2, padding=2),
            nn.LeakyReLU(0.2),
            nn.Conv1d(ch, ch, 5, stride=2, padding=2),
            nn.LeakyReLU(0.2),
            nn.AdaptiveAvgPool1d(1),
            nn.Flatten(),
            nn.Linear(ch, 1),
        )

    def forward(self, strip):
        return self.layers(strip).squeeze(-1)


class WarmupGate:
    def __init__(self, length):
        self.length = length
        self.count = 0

    def tick(self):
        self.count += 1
        return self.count > self.length


class StripLab:
    def __init__(self, warmup=12):
        self.refiner = Refiner()
        self.judge = Judge()
        self.opt_refiner = torch.optim.Adam(self.refiner.parameters(), lr=2e-3)
        self.opt_judge = torch.optim.Adam(self.judge.parameters(), lr=1e-3)
        self.gate = WarmupGate(warmup)

    def judge_losses(self, clean, refined):
        on_clean = self.judge(clean)
        on_detached = self.judge(refined.detach())
        on_refined = self.judge(refined)
        fair = F.softplus(-on_clean).mean() + F.softplus(on_detached).mean()
        fool = F.softplus(-on_refined).mean()
        return fair, fool

    def pure_step(self, clean, speckled):
        loss = F.l1_loss(self.refiner(speckled), clean)
        self.opt_refiner.zero_grad()
        loss.backward()
        self.opt_refiner.step()
        return {"pixel": loss.item()}

    def duel_step(self, clean, speckled):
        refined = self.refiner(speckled)
        fair, fool = self.judge_losses(clean, refined)  # <- culprit
        self.opt_judge.zero_grad()
        fair.backward()
        self.opt_judge.step()  # <- culprit
        pixel = F.l1_loss(refined, clean)
        self.opt_refiner.zero_grad()
        (pixel + 0.02 * fool).backward()
        self.opt_refiner.step()
        return {"pixel": pixel.item(), "fair": fair.item(), "fool": fool.item()}

    def step(self, clean, speckled):
        if self.gate.tick():
            return self.duel_step(clean, speckled)
        return self.pure_step(clean, speckled)


def main():
    torch.manual_seed(50)
    lab = StripLab()
    strips = SeabedStrips(seed=50)
    for ping in range(120):
        report = lab.step(*next(strips))
        if ping % 10 == 0:
            print(ping, {k: round(v, 4) for k, v in report.items()})


if __name__ == "__main__":
    main()
