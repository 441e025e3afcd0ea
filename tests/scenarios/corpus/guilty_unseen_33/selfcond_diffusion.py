# gradwatch-corpus: kind=second-backward
# holder: last | estimate
# first-bad: 21
"""1-D denoising diffusion with self-conditioning on the model's own estimate."""
import math

import torch
import torch.nn as nn


class Denoiser(nn.Module):
    def __init__(self, width=24, hidden=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2 * width + 2, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, width),
        )

    def forward(self, noisy, cond, t):
        phase = torch.stack([torch.sin(math.pi * t), torch.cos(math.pi * t)], dim=-1)
        return self.net(torch.cat([noisy, cond, phase], dim=-1))


def alpha_bar(t):
    return torch.cos(0.5 * math.pi * t).pow(2).clamp(min=1e-4)


def waves(batch, width=24):
    grid = torch.linspace(0, 2 * math.pi, width)
    phase = 2 * math.pi * torch.rand(batch, 1)
    return torch.sin(grid * torch.randint(1, 4, (batch, 1)) + phase)


def make_step(model, opt, batch, p_cond=0.5, warmup=20):
    """Returns the step function; it remembers the x0 estimate it made last."""
    last = None
    calls = 0

    def step(x0):
        nonlocal last, calls
        t = torch.rand(batch)
        ab = alpha_bar(t).unsqueeze(-1)
        noisy = ab.sqrt() * x0 + (1 - ab).sqrt() * torch.randn_like(x0)

        use_last = calls >= warmup and last is not None and torch.rand(()).item() < p_cond
        cond = last if use_last else torch.zeros_like(x0)  # <- culprit
        estimate = model(noisy, cond, t)
        last = estimate  # <- culprit

        loss = ((estimate - x0) ** 2 * (ab / (1 - ab)).clamp(max=5.0)).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        calls += 1
        return loss.item()

    return step


def main(batch=32, steps=100):
    torch.manual_seed(12)
    model = Denoiser()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    step = make_step(model, opt, batch)
    smooth = None
    for i in range(steps):
        value = step(waves(batch))
        smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
        if i % 10 == 0:
            print(f"{i:4d}  loss {value:.4f}  smooth {smooth:.4f}")


if __name__ == "__main__":
    main()
