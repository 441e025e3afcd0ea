# gradwatch-corpus: kind=memory-climb
# holder: self._table | self._table[t] | self.time_pos._table | model.time_pos._table | self.time_mlp[0]._table | trainer.model.model.time_pos._table
# first-bad: 1
"""
Denoising diffusion for short one-lead ECG-like snippets (64 samples).
Based on the well-known annotated implementations, reduced to an MLP denoiser.
"""
import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def exists(x):
    return x is not None


def default(val, d):
    return val if exists(val) else d


def linear_beta_schedule(timesteps):
    scale = 100 / timesteps
    return torch.linspace(scale * 0.001, scale * 0.12, timesteps, dtype=torch.float64)


def extract(a, t):
    return a.gather(-1, t).unsqueeze(-1)


class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim, theta=10000):
        super().__init__()
        self.dim = dim
        self.theta = theta
        self._table = {}

    def forward(self, t):
        if t not in self._table:
            half_dim = self.dim // 2
            emb = math.log(self.theta) / (half_dim - 1)
            emb = torch.exp(torch.arange(half_dim) * -emb)
            emb = t[:, None] * emb[None, :]
            self._table[t] = torch.cat((emb.sin(), emb.cos()), dim=-1)  # <- culprit
        return self._table[t]


class ResBlock(nn.Module):
    def __init__(self, dim, time_dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, dim)
        self.fc2 = nn.Linear(dim, dim)
        self.to_shift = nn.Linear(time_dim, dim)

    def forward(self, x, temb):
        h = F.silu(self.fc1(self.norm(x)) + self.to_shift(temb))
        return x + self.fc2(h)


class Denoiser(nn.Module):
    def __init__(self, length=64, dim=96, fourier_dim=512, time_dim=64, depth=2):
        super().__init__()
        self.time_pos = SinusoidalPosEmb(fourier_dim)
        self.time_mlp = nn.Sequential(self.time_pos, nn.Linear(fourier_dim, time_dim), nn.SiLU())
        self.inp = nn.Linear(length, dim)
        self.blocks = nn.ModuleList([ResBlock(dim, time_dim) for _ in range(depth)])
        self.out = nn.Linear(dim, length)

    def forward(self, x, t):
        temb = self.time_mlp(t)
        h = self.inp(x)
        for block in self.blocks:
            h = block(h, temb)
        return self.out(h)


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=100):
        super().__init__()
        self.model = model
        self.num_timesteps = timesteps
        betas = linear_beta_schedule(timesteps)
        alphas_cumprod = torch.cumprod(1.0 - betas, dim=0)
        register = lambda name, val: self.register_buffer(name, val.float())
        register("betas", betas)
        register("sqrt_alphas_cumprod", alphas_cumprod.sqrt())
        register("sqrt_one_minus_alphas_cumprod", (1 - alphas_cumprod).sqrt())
        register("sqrt_recip_alphas", (1 - betas).rsqrt())

    def q_sample(self, x_start, t, noise=None):
        noise = default(noise, torch.randn_like(x_start))
        return (extract(self.sqrt_alphas_cumprod, t) * x_start
                + extract(self.sqrt_one_minus_alphas_cumprod, t) * noise)

    def forward(self, x):
        t = torch.randint(0, self.num_timesteps, (x.shape[0],))
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(self.q_sample(x, t, noise), t), noise)

    @torch.inference_mode()
    def sample(self, n, length):
        x = torch.randn(n, length)
        for step in reversed(range(self.num_timesteps)):
            t = torch.full((n,), step)
            eps = self.model(x, t)
            beta = extract(self.betas, t)
            x = extract(self.sqrt_recip_alphas, t) * (x - beta / extract(self.sqrt_one_minus_alphas_cumprod, t) * eps)
            if step > 0:
                x = x + beta.sqrt() * torch.randn_like(x)
        return x


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.shadow = [p.detach().clone() for p in model.parameters()]

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow, model.parameters()):
            s.lerp_(p, 1 - self.decay)

    @torch.no_grad()
    def copy_to(self, model):
        for s, p in zip(self.shadow, model.parameters()):
            p.copy_(s)


def beats(n, length, gen):
    t = torch.linspace(0, 1, length)
    bump = lambda c, w, a: a * torch.exp(-0.5 * ((t - c) / w) ** 2)
    c = 0.5 + 0.05 * torch.randn(n, 1, generator=gen)
    amp = 1 + 0.2 * torch.randn(n, 1, generator=gen)
    return bump(c - 0.2, 0.03, 0.2 * amp) + bump(c, 0.012, 1.5 * amp) - bump(c + 0.03, 0.012, 0.4 * amp) + bump(c + 0.25, 0.05, 0.35 * amp)


class Trainer:
    def __init__(self, diffusion, *, train_batch_size=128, train_lr=1e-3, train_num_steps=400, length=64):
        self.model = diffusion
        self.batch_size, self.train_num_steps, self.length = train_batch_size, train_num_steps, length
        self.opt = torch.optim.Adam(diffusion.parameters(), lr=train_lr, betas=(0.9, 0.99))
        self.ema = EMA(diffusion)
        self.next_batch = partial(beats, train_batch_size, length, torch.Generator().manual_seed(9))

    def train(self):
        for step in range(self.train_num_steps):
            loss = self.model(self.next_batch())
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.opt.zero_grad()
            self.ema.update(self.model)
            if step % 80 == 0:
                print(f"step {step}: loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(GaussianDiffusion(Denoiser()))
    trainer.train()
    trainer.ema.copy_to(trainer.model)
    x = trainer.model.sample(4, 64)
    print("sampled peak heights:", [round(v, 2) for v in x.max(dim=1).values.tolist()])
