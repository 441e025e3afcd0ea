import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class GradScale(torch.autograd.Function):
    """Identity whose gradient is scaled; keeps the encoder slower than the context."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return ctx.factor * g, None


class NegativeRing:
    def __init__(self, size, dim):
        self.codes = F.normalize(torch.randn(size, dim), dim=1)
        self.head, self.count = 0, 0

    def __call__(self):
        return self.codes.clone()

    @torch.no_grad()
    def push(self, codes):
        flat = codes.reshape(-1, codes.shape[-1])
        flat = flat[torch.randperm(len(flat))[:32]]
        where = (self.head + torch.arange(len(flat))) % len(self.codes)
        self.codes[where] = flat
        self.head = (self.head + len(flat)) % len(self.codes)
        self.count = min(self.count + len(flat), len(self.codes))


class CPC(nn.Module):
    def __init__(self, frame, code, context, horizon):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(frame, 48), nn.GELU(), nn.Linear(48, code))
        self.context = nn.GRU(code, context, batch_first=True)
        self.predict = nn.ModuleList(nn.Linear(context, code) for _ in range(horizon))
        self.temperature = 0.2

    def forward(self, frames, state, ring):
        z = checkpoint(self.encoder, frames, use_reentrant=False)
        z = F.normalize(GradScale.apply(z, 0.5), dim=-1)
        c, state = self.context(z, state)
        old = ring()
        total = 0.0
        for k, head in enumerate(self.predict, start=1):
            guess = F.normalize(head(c[:, :-k]), dim=-1).flatten(0, 1)
            truth = z[:, k:].flatten(0, 1)
            logits = torch.cat([guess @ truth.T, guess @ old.T], dim=1) / self.temperature
            total = total + F.cross_entropy(logits, torch.arange(len(guess)))
        return total / len(self.predict), z.detach(), state
