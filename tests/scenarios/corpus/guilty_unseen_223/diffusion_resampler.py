# gradwatch-corpus: kind=graph-held
# holder: self._history | sampler._history
# first-bad: 1
from collections import defaultdict
from collections import deque
import torch as th
from torch import nn

T = 64
th.manual_seed(42)


class TimestepEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freqs", th.exp(-th.arange(dim // 2) * 0.5))
        self.proj = nn.Linear(dim, dim)

    def forward(self, t):
        ang = t.float()[:, None] * self.freqs[None]
        emb = th.cat([ang.sin(), ang.cos()], dim=-1)
        return nn.functional.silu(self.proj(emb))


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=96):
        super().__init__()
        self.temb = TimestepEmbedding(32)
        self.inp = nn.Linear(dim, hidden)
        self.cond = nn.Linear(32, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, dim)

    def forward(self, x, t):
        h = self.inp(x) + self.cond(self.temb(t))
        h = h + self.mid(nn.functional.silu(h))
        return self.out(nn.functional.silu(h))


class LossSecondMomentResampler:
    def __init__(self, num_timesteps, history_per_term=10, uniform_prob=0.05):
        self.num_timesteps = num_timesteps
        self.history_per_term = history_per_term
        self.uniform_prob = uniform_prob
        self._history = defaultdict(lambda: deque(maxlen=10 * history_per_term))

    def weights(self):
        if not self._warmed_up():
            return th.ones(self.num_timesteps)
        rows = [th.stack(tuple(self._history[t])) for t in range(self.num_timesteps)]
        w = th.stack([(r ** 2).mean().sqrt() for r in rows])
        w = w / w.sum()
        return w * (1 - self.uniform_prob) + self.uniform_prob / self.num_timesteps

    def sample(self, n):
        with th.no_grad():
            p = self.weights()
            p = p / p.sum()
            t = th.multinomial(p, n, replacement=True)
            return t, 1.0 / (self.num_timesteps * p[t])

    def update_with_all_losses(self, ts, losses):
        for t, loss in zip(ts.tolist(), losses):
            self._history[t].append(loss)  # <- culprit

    def _warmed_up(self):
        return all(len(self._history[t]) >= self.history_per_term for t in range(self.num_timesteps))


betas = th.linspace(1e-3, 0.15, T)
alphas_cumprod = th.cumprod(1 - betas, 0)


def q_sample(x0, t, noise):
    a = alphas_cumprod[t][:, None]
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


def data(n):
    u = th.rand(n) * 9
    return th.stack([u.cos() * u, u.sin() * u], 1) / 5


def training_losses(model, x0, t):
    noise = th.randn_like(x0)
    pred = model(q_sample(x0, t, noise), t)
    return ((pred - noise) ** 2).mean(dim=1)


model = Denoiser()
sampler = LossSecondMomentResampler(T)
opt = th.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)

for step in range(130):
    x0 = data(64)
    t, w = sampler.sample(64)
    losses = training_losses(model, x0, t)
    sampler.update_with_all_losses(t, losses)  # <- culprit
    loss = (losses * w).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 40 == 0:
        print(f"{step:>5} mse={losses.mean().item():.4f}")
