# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(320)


class SlowWeights:
    """Lookahead attached to an optimizer by a step hook."""

    def __init__(self, opt, every=6, alpha=0.5):
        self.every, self.alpha, self.n = every, alpha, 0
        self.slow = {p: p.detach().clone() for g in opt.param_groups for p in g["params"]}
        self.handle = opt.register_step_post_hook(self)

    def __call__(self, opt, args, kwargs):
        self.n += 1
        if self.n % self.every:
            return
        with torch.no_grad():
            for p, s in self.slow.items():
                s += self.alpha * (p - s)
                p.copy_(s)


class Marsh(nn.Module):
    """Sediment accretion from tides, vegetation height, and distance to the creek."""

    def __init__(self):
        super().__init__()
        self.lin = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 12))
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.lin(x)))


def quadrats():
    while True:
        x = torch.rand(20, 3)
        yield x, x[:, :1] * torch.exp(-2 * x[:, 2:]) + 0.3 * x[:, 1:2]


marsh = Marsh()
opt = torch.optim.AdamW(marsh.parameters(), lr=4e-3)
slow = SlowWeights(opt)
running = None
for i, (x, y) in zip(range(1, 1501), quadrats()):
    loss = nn.functional.mse_loss(marsh(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running = loss.detach() if running is None else running.lerp(loss.detach(), 0.02)
    if i % 300 == 0:
        print(i, f"{running.item():.5f}")
slow.handle.remove()
