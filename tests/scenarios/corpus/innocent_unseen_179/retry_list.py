# gradwatch-corpus: kind=none
"""Denoising spectra; batches whose loss jumps go back to a retry list."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.manual_seed(19)


@dataclass
class Attempt:
    clean: torch.Tensor
    noisy: torch.Tensor
    outcomes: list = field(default_factory=list)


class Denoiser(nn.Module):
    def __init__(self, length=64, width=48):
        super().__init__()
        self.down = nn.Linear(length, width)
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, length)

    def forward(self, x):
        return x + self.up(torch.relu(self.norm(self.down(x))))


def spectra(batch=8, length=64):
    grid = torch.linspace(0, 1, length)
    centre = torch.rand(batch, 3, 1)
    width = 0.02 + 0.05 * torch.rand(batch, 3, 1)
    clean = torch.exp(-((grid - centre) / width) ** 2).sum(1, keepdim=True)
    level = 0.1 if torch.rand(()) < 0.8 else 0.5
    return clean, clean + level * torch.randn_like(clean)


def main():
    model = Denoiser()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    retry, typical = [], None
    settled = given_up = 0
    for step in range(620):
        if retry and step % 3 == 0:
            attempt = retry.pop(0)
        else:
            attempt = Attempt(*spectra())
        loss = nn.functional.mse_loss(model(attempt.noisy), attempt.clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        value = loss.item()
        attempt.outcomes.append(loss)
        typical = value if typical is None else 0.98 * typical + 0.02 * value
        if value <= 1.5 * typical:
            settled += len(attempt.outcomes) > 1
        elif len(attempt.outcomes) >= 3:
            gain = attempt.outcomes[0].item() - attempt.outcomes[-1].item()
            given_up += 1
            if given_up % 10 == 0:
                print("given up after gain %.4f" % gain)
        else:
            retry.append(attempt)
        if len(retry) > 12:
            retry.sort(key=lambda a: a.outcomes[-1].item())
            del retry[12:]
        if step % 100 == 0:
            print(f"{step} loss {value:.4f} typical {typical:.4f} waiting {len(retry)} settled {settled}")


if __name__ == "__main__":
    main()
