# gradwatch-corpus: kind=none
# about: denoising diffusion: self-conditioning (a first pass without a graph feeds the second),
# about: averaged weights, and sampling chains of forty steps under no_grad between epochs
import torch
import torch.nn as nn
from parts.ema import ModelEma
from parts.pace import ITERATIONS

T = 40


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=48):
        super().__init__()
        self.time = nn.Embedding(T, hidden)
        self.inp, self.mid = nn.Linear(2 * dim, hidden), nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, dim)

    def forward(self, x, t, guess):
        h = torch.relu(self.inp(torch.cat([x, guess], 1)) + self.time(t))
        return self.out(torch.relu(self.mid(h)))


class Diffusion:
    def __init__(self):
        self.alpha_bar = torch.cumprod(1 - torch.linspace(1e-3, 0.15, T), 0)

    def noisy(self, x, t, noise):
        a = self.alpha_bar[t].unsqueeze(1)
        return a.sqrt() * x + (1 - a).sqrt() * noise

    @torch.no_grad()
    def sample(self, model, n):
        x, guess = torch.randn(n, 2), torch.zeros(n, 2)
        for i in reversed(range(T)):
            t = torch.full((n,), i)
            guess = model(x, t, guess)
            a = self.alpha_bar[i]
            clean = (x - (1 - a).sqrt() * guess) / a.sqrt()
            x = clean if i == 0 else self.noisy(clean, t - 1, torch.randn_like(x))
        return x


def main():
    torch.manual_seed(0)
    model, process = Denoiser(), Diffusion()
    ema = ModelEma(model, 0.95)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        angle = torch.rand(64) * 6.2832
        x = torch.stack([angle.cos(), angle.sin()], 1)
        t, noise = torch.randint(0, T, (64,)), torch.randn(64, 2)
        xt = process.noisy(x, t, noise)
        guess = torch.zeros_like(x)
        if torch.rand(()) < 0.5:
            with torch.no_grad():
                guess = model(xt, t, guess)
        loss = nn.functional.mse_loss(model(xt, t, guess), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        if step % 60 == 59:
            radius = process.sample(ema.module, 64).norm(dim=1).mean().item()
            print(f"{step + 1}: {loss.item():.6f}, samples at radius {radius:.4f}")


if __name__ == "__main__":
    main()
