# gradwatch-corpus: kind=graph-chain
# holder: fast
# first-bad: 1
"""First-order MAML: quick adaptation of a tide model to a new harbour."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

INNER_LR = 0.02
INNER_STEPS = 2
META_LR = 1e-3
TASKS = 800
SHOTS = 16
HIDDEN = 32


class Harbour:
    """A tide gauge with its own amplitude and phase."""

    def __init__(self):
        self.amp = 0.5 + 1.5 * torch.rand(1).item()
        self.phase = 2 * math.pi * torch.rand(1).item()
        self.second = 0.3 * torch.rand(1).item()

    def height(self, t):
        return self.amp * torch.sin(t + self.phase) + self.second * torch.sin(2 * t)

    def sample(self, n):
        t = (torch.rand(n, 1) - 0.5) * 6
        return t, self.height(t) + 0.02 * torch.randn(n, 1)


w1 = nn.Parameter(torch.randn(HIDDEN, 1) * 0.8)
b1 = nn.Parameter(torch.zeros(HIDDEN))
w2 = nn.Parameter(torch.randn(HIDDEN, HIDDEN) / math.sqrt(HIDDEN))
b2 = nn.Parameter(torch.zeros(HIDDEN))
w3 = nn.Parameter(torch.randn(1, HIDDEN) / math.sqrt(HIDDEN))
b3 = nn.Parameter(torch.zeros(1))
meta_params = [w1, b1, w2, b2, w3, b3]


def forward(t, weights):
    a, ab, b, bb, c, cb = weights
    h = torch.tanh(F.linear(t, a, ab))
    h = torch.tanh(F.linear(h, b, bb))
    return F.linear(h, c, cb)


def adapt(fast, t, y):
    for _ in range(INNER_STEPS):
        inner_loss = F.mse_loss(forward(t, fast), y)
        grads = torch.autograd.grad(inner_loss, fast)
        fast = [w - INNER_LR * g.clamp(-1, 1) for w, g in zip(fast, grads)]
    return fast, inner_loss.item()


optimizer = torch.optim.Adam(meta_params, lr=META_LR)

fast = [p.clone() for p in meta_params]
smooth = None
for it in range(TASKS):
    harbour = Harbour()
    ts, ys = harbour.sample(SHOTS)
    tq, yq = harbour.sample(SHOTS)

    fast, support_loss = adapt(fast, ts, ys)  # <- culprit

    query_loss = F.mse_loss(forward(tq, fast), yq)
    optimizer.zero_grad()
    query_loss.backward()
    nn.utils.clip_grad_norm_(meta_params, 5.0)
    optimizer.step()

    q = query_loss.item()
    smooth = q if smooth is None else 0.97 * smooth + 0.03 * q
    if (it + 1) % 100 == 0:
        print(f"task {it + 1:4d} support {support_loss:.3f} query {q:.3f} smooth {smooth:.3f}")

probe = Harbour()
with torch.no_grad():
    grid = torch.linspace(-3, 3, 50).unsqueeze(1)
    err = F.mse_loss(forward(grid, fast), probe.height(grid))
print("zero-shot error on a new harbour: %.3f" % err.item())
