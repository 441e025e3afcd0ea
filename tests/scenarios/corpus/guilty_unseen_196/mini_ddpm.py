# gradwatch-corpus: kind=graph-held
# holder: loss_ema
# first-bad: 2
"""Minimal DDPM on 2d toy data."""
import math

import torch
import torch.nn as nn

torch.manual_seed(0)


def ddpm_schedules(beta1, beta2, T):
    beta_t = (beta2 - beta1) * torch.arange(0, T + 1, dtype=torch.float32) / T + beta1
    alpha_t = 1 - beta_t
    alphabar_t = torch.cumsum(torch.log(alpha_t), dim=0).exp()
    return {
        "oneover_sqrta": 1 / torch.sqrt(alpha_t),
        "sqrt_beta_t": torch.sqrt(beta_t),
        "sqrtab": torch.sqrt(alphabar_t),
        "sqrtmab": torch.sqrt(1 - alphabar_t),
        "mab_over_sqrtmab": (1 - alpha_t) / torch.sqrt(1 - alphabar_t),
    }


class TimeEmbed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.freqs = nn.Parameter(torch.exp(torch.linspace(0, 4, dim // 2)), requires_grad=False)

    def forward(self, t):
        a = t[:, None] * self.freqs[None]
        return torch.cat([a.sin(), a.cos()], dim=1)


class EpsModel(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.time = TimeEmbed(16)
        self.net = nn.Sequential(
            nn.Linear(2 + 16, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2),
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=1))


class DDPM(nn.Module):
    def __init__(self, eps_model, betas, n_T):
        super().__init__()
        self.eps_model = eps_model
        for k, v in ddpm_schedules(betas[0], betas[1], n_T).items():
            self.register_buffer(k, v)
        self.n_T = n_T
        self.criterion = nn.MSELoss()

    def forward(self, x):
        _ts = torch.randint(1, self.n_T, (x.shape[0],))
        eps = torch.randn_like(x)
        x_t = self.sqrtab[_ts, None] * x + self.sqrtmab[_ts, None] * eps
        return self.criterion(eps, self.eps_model(x_t, _ts / self.n_T))

    @torch.no_grad()
    def sample(self, n):
        x_i = torch.randn(n, 2)
        for i in range(self.n_T, 0, -1):
            z = torch.randn(n, 2) if i > 1 else 0
            eps = self.eps_model(x_i, torch.full((n,), i / self.n_T))
            x_i = self.oneover_sqrta[i] * (x_i - eps * self.mab_over_sqrtmab[i]) + self.sqrt_beta_t[i] * z
        return x_i


def swiss_roll(n):
    t = 1.5 * math.pi * (1 + 2 * torch.rand(n))
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 10 + 0.02 * torch.randn(n, 2)


def train_swiss(n_epoch=5, steps=100):
    ddpm = DDPM(EpsModel(), (1e-4, 0.02), 100)
    optim = torch.optim.Adam(ddpm.parameters(), lr=2e-4)
    loss_ema = None
    for i in range(n_epoch):
        ddpm.train()
        for step in range(steps):
            x = swiss_roll(128)
            optim.zero_grad()
            loss = ddpm(x)
            loss.backward()
            if loss_ema is None:
                loss_ema = loss.item()
            else:
                loss_ema = 0.9 * loss_ema + 0.1 * loss  # <- culprit
            optim.step()
            if step % 50 == 0:
                print(f"epoch {i} step {step} loss: {loss_ema:.4f}")
        ddpm.eval()
        xs = ddpm.sample(64)
        print("sample mean/std", xs.mean().item(), xs.std().item())


if __name__ == "__main__":
    train_swiss()
