# gradwatch-corpus: kind=second-backward
# first-bad: 41
"""Task-conditioned regression: a set encoder makes a context for a FiLM head."""
import torch
import torch.nn.functional as F
from torch import nn

from context import ContextProvider, SetEncoder


class FilmHead(nn.Module):
    def __init__(self, ctx=12, hidden=32):
        super().__init__()
        self.inp = nn.Linear(2, hidden)
        self.film = nn.Linear(ctx, 2 * hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, ctx):
        gain, shift = self.film(ctx).chunk(2, -1)
        return self.out(torch.tanh(self.inp(x) * (1 + gain) + shift))


class PlaneWaves:
    def __init__(self, seed=14):
        self.g = torch.Generator().manual_seed(seed)
        self.k = torch.randn(2, generator=self.g)

    def batch(self, n):
        x = torch.randn(n, 2, generator=self.g)
        y = torch.cos(x @ self.k).unsqueeze(-1)
        return x, y + 0.05 * torch.randn(y.shape, generator=self.g)


def main(steps=500, warmup=40):
    torch.manual_seed(6)
    data = PlaneWaves()
    encoder, head = SetEncoder(3, 12), FilmHead()
    provider = ContextProvider(encoder, refresh_every=10, warmup=warmup)
    opt = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=2e-3)
    for step in range(steps):
        support, query = data.batch(24), data.batch(32)
        ctx = provider.get(step, torch.cat(support, -1))
        loss = F.mse_loss(head(query[0], ctx), query[1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step} mse {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()
