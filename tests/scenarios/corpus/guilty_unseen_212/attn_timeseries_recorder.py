# gradwatch-corpus: kind=memory-climb
# holder: self.maps | self.recorder.maps
# first-bad: 1
"""Attention forecaster for seasonal series, with an attention recorder for later inspection."""
import numpy as np
import torch
from torch import nn


class AttentionRecorder:
    """Collects attention maps from any module which exposes `last_attn`."""

    def __init__(self, modules):
        self.modules = modules
        self.maps = []

    def after_batch(self, step):
        for depth, m in enumerate(self.modules):
            self.maps.append((step, depth, m.last_attn.cpu().numpy().copy()))  # <- culprit

    def mean_entropy(self, recent=8):
        out = []
        for _, _, a in self.maps[-recent:]:
            out.append(float(-(a * np.log(a + 1e-9)).sum(-1).mean()))
        return sum(out) / len(out)


class SelfAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.norm = nn.LayerNorm(dim)
        self.last_attn = None

    def forward(self, x):
        z = self.norm(x)
        w = (self.q(z) @ self.k(z).transpose(1, 2) / z.shape[-1] ** 0.5).softmax(-1)
        self.last_attn = w.detach()
        return x + w @ self.v(z)


class Forecaster(nn.Module):
    def __init__(self, dim=32, horizon=8, depth=2, context=48):
        super().__init__()
        self.inp = nn.Linear(1, dim)
        self.pos = nn.Parameter(torch.randn(context, dim) * 0.02)
        self.blocks = nn.ModuleList(SelfAttention(dim) for _ in range(depth))
        self.out = nn.Linear(dim, horizon)

    def forward(self, x):
        h = self.inp(x.unsqueeze(-1)) + self.pos
        for b in self.blocks:
            h = b(h)
        return self.out(h[:, -1])


class Experiment:
    def __init__(self, seed=4):
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.model = Forecaster()
        self.recorder = AttentionRecorder(list(self.model.blocks))
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=2e-3)

    def sample(self, n=48, context=48, horizon=8):
        t = np.arange(context + horizon)
        phase = self.rng.uniform(0, 2 * np.pi, (n, 1))
        period = self.rng.choice([6, 12, 24], (n, 1))
        y = np.sin(2 * np.pi * t / period + phase) + 0.1 * self.rng.standard_normal((n, len(t)))
        y = torch.tensor(y, dtype=torch.float32)
        return y[:, :context], y[:, context:]

    def run(self, iters=200):
        for step in range(iters):
            x, y = self.sample()
            loss = nn.functional.l1_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.recorder.after_batch(step)
            if step % 40 == 0:
                print(f"{step} mae {loss.item():.4f} attn-entropy {self.recorder.mean_entropy():.3f}")


if __name__ == "__main__":
    Experiment().run()
