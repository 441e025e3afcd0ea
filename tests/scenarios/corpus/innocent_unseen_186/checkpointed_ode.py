# gradwatch-corpus: kind=none
"""Neural ODE with checkpointed RK4 segments and a stash-based custom Function."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class ScaledTanh(torch.autograd.Function):
    stash = {}
    counter = 0

    @staticmethod
    def forward(ctx, x, scale):
        y = torch.tanh(x)
        ScaledTanh.counter += 1
        ctx.key = ScaledTanh.counter
        ScaledTanh.stash[ctx.key] = y
        ctx.save_for_backward(scale)
        return y * scale

    @staticmethod
    def backward(ctx, grad):
        y = ScaledTanh.stash.pop(ctx.key)
        scale, = ctx.saved_tensors
        return grad * scale * (1 - y * y), (grad * y).sum()


class Field(nn.Module):
    def __init__(self, d=2, hidden=24):
        super().__init__()
        self.a, self.b = nn.Linear(d, hidden), nn.Linear(hidden, d)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class NeuralODE(nn.Module):
    def __init__(self, dt=0.1, per_segment=2):
        super().__init__()
        self.field, self.dt, self.per = Field(), dt, per_segment
        self.scale = nn.Parameter(torch.ones(()) * 2)
        self.path = []

    def _rk4(self, x):
        f, h = self.field, self.dt
        k1 = f(x)
        k2 = f(x + h / 2 * k1)
        k3 = f(x + h / 2 * k2)
        k4 = f(x + h * k3)
        return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def _segment(self, x):
        for _ in range(self.per):
            x = self._rk4(x)
        return x

    def forward(self, x, segments=3):
        self.path = [x]
        for _ in range(segments):
            x = checkpoint(self._segment, x, use_reentrant=False)
            self.path.append(x)
        return torch.stack([ScaledTanh.apply(p, self.scale) for p in self.path[1:]], 1)


def orbits(n, seed=6):
    g = torch.Generator().manual_seed(seed)
    rot = torch.tensor([[0.0, 1.0], [-1.0, -0.2]])
    flows = [torch.matrix_exp(rot * 0.2 * (i + 1)) for i in range(3)]
    for _ in range(n):
        x = torch.randn(24, 2, generator=g)
        yield x, torch.stack([2 * torch.tanh(x @ m.T) for m in flows], 1)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = NeuralODE()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    ends = []
    for it, (x, y) in enumerate(orbits(420)):
        loss = F.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ends.append(model.path[-1].detach().mean(0))
        if it % 70 == 0:
            print(it, f"{loss.item():.4f}", len(ScaledTanh.stash), flush=True)
