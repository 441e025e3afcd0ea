# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn

from schedule import LossAwareSampler, cosine_alphas


class Denoiser(nn.Module):
    def __init__(self, T):
        super().__init__()
        self.time = nn.Embedding(T, 16)
        self.net = nn.Sequential(nn.Linear(18, 48), nn.SiLU(), nn.Linear(48, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], -1))


class EMA:
    def __init__(self, model, decay):
        self.shadow, self.decay = copy.deepcopy(model).requires_grad_(False), decay

    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.copy_(self.decay * s + (1 - self.decay) * p.detach())


def main(iters=420, T=40, batch=64):
    torch.manual_seed(0)
    model, sampler, abar = Denoiser(T), LossAwareSampler(T), cosine_alphas(T)
    ema = EMA(model, 0.995)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for it in range(iters):
        theta = 6.283 * torch.rand(batch)
        x0 = torch.stack([theta.cos(), (2 * theta).sin()], 1)
        t, w = sampler.sample(batch)
        eps = torch.randn_like(x0)
        xt = abar[t, None].sqrt() * x0 + (1 - abar[t, None]).sqrt() * eps
        per_sample = (model(xt, t) - eps).pow(2).mean(-1)
        loss = (w * per_sample).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        sampler.update(t, per_sample)
        if it % 70 == 0:
            print(it, f"{loss.item():.4f}", f"warm {sampler.warm}")


if __name__ == "__main__":
    main()
