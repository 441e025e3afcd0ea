# gradwatch-corpus: kind=none
"""Joint sleep-stage, artefact and band-power heads on synthetic EEG epochs."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from surgery import GradientSurgeon

BATCH, LENGTH, STAGES, STEPS = 24, 100, 4, 420


def eeg_batch(gen):
    stage = torch.randint(0, STAGES, (BATCH,), generator=gen)
    t = torch.arange(LENGTH) / 100
    freq = torch.tensor([2.0, 5.0, 10.0, 18.0])[stage][:, None] + 0.5 * torch.randn(BATCH, 1, generator=gen)
    amp = 0.5 + torch.rand(BATCH, 1, generator=gen)
    x = amp * torch.sin(2 * math.pi * freq * t) + 0.3 * torch.randn(BATCH, LENGTH, generator=gen)
    artefact = torch.rand(BATCH, generator=gen) < 0.25
    x[artefact, 40:60] += 3.0
    return x.unsqueeze(1), stage, artefact.float(), amp.squeeze(1).log()


class SharedEEG(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv1d(1, width, 9, stride=2, padding=4), nn.ELU(),
            nn.Conv1d(width, width, 5, stride=2, padding=2), nn.ELU(),
            nn.AdaptiveMaxPool1d(2), nn.Flatten(),
        )
        self.stage = nn.Linear(2 * width, STAGES)
        self.artefact = nn.Linear(2 * width, 1)
        self.power = nn.Linear(2 * width, 1)

    def forward(self, x):
        z = self.trunk(x)
        return self.stage(z), self.artefact(z).squeeze(-1), self.power(z).squeeze(-1)


def main():
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(19)
    model = SharedEEG()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    surgeon = GradientSurgeon(model.parameters(), seed=19)
    history = {"stage": [], "artefact": [], "power": []}
    for step in range(STEPS):
        x, stage, artefact, power = eeg_batch(gen)
        s, a, p = model(x)
        losses = {
            "stage": F.cross_entropy(s, stage),
            "artefact": F.binary_cross_entropy_with_logits(a, artefact),
            "power": F.mse_loss(p, power),
        }
        surgeon.backward(list(losses.values()))
        opt.step()
        for name, value in losses.items():
            history[name].append(value.item())
        if step % 105 == 104:
            recent = {k: round(sum(v[-50:]) / 50, 3) for k, v in history.items()}
            print(step + 1, recent, f"cos {sum(surgeon.cosines[-50:]) / 50:+.3f}")


if __name__ == "__main__":
    main()
