# gradwatch-corpus: kind=none
"""Three targets (yield, protein, moisture) from field spectra with GradNorm task
balancing. A forward hook keeps the shared representation for the norm computation;
gradients are accumulated over two half batches."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(40)

TASKS = ("yield", "protein", "moisture")


@dataclass
class Balance:
    alpha: float = 0.8
    start: dict = field(default_factory=dict)
    log: list = field(default_factory=list)

    def pace(self, losses):
        for name, value in losses.items():
            self.start.setdefault(name, value.detach())
        rel = torch.stack([losses[n].detach() / self.start[n] for n in losses])
        return (rel / rel.mean()) ** self.alpha


class SharedNet(nn.Module):
    def __init__(self, bands=30):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bands, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.heads = nn.ModuleDict({n: nn.Linear(16, 1) for n in TASKS})

    def forward(self, x):
        z = self.trunk(x)
        return {n: h(z).squeeze(1) for n, h in self.heads.items()}


class Tap:
    """Keeps what the module put out last, by half batch."""

    def __init__(self, module):
        self.seen = {}
        self.slot = 0
        module.register_forward_hook(self)

    def __call__(self, module, args, output):
        self.seen[self.slot] = output


class Fields:
    def __init__(self, bands=30):
        self.w = torch.randn(bands, 3) / bands ** 0.5
        self.scale = torch.tensor([3.0, 0.5, 1.0])

    def batch(self, n):
        x = torch.randn(n, self.w.size(0))
        y = torch.tanh(x @ self.w) * self.scale + 0.05 * torch.randn(n, 3)
        return x, dict(zip(TASKS, y.unbind(1)))


def main():
    data, net = Fields(), SharedNet()
    tap = Tap(net.trunk)
    weights = nn.Parameter(torch.ones(3))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    w_opt = torch.optim.SGD([weights], lr=0.02)
    bal = Balance()

    for it in range(320):
        opt.zero_grad()
        w_opt.zero_grad()
        for half in range(2):
            tap.slot = half
            x, y = data.batch(24)
            out = net(x)
            losses = {n: (out[n] - y[n]).square().mean() for n in TASKS}
            vec = torch.stack(list(losses.values()))

            total = (weights.detach() * vec).sum() / 2
            total.backward(retain_graph=True)  # the norms below go through it again

            z = tap.seen[half]
            norms = torch.stack(
                [
                    torch.autograd.grad(weights[i] * vec[i], z, retain_graph=True, create_graph=True)[0].norm()
                    for i in range(3)
                ]
            )
            goal = norms.detach().mean() * bal.pace(losses)
            (gw,) = torch.autograd.grad((norms - goal).abs().sum(), weights)
            weights.grad = gw if weights.grad is None else weights.grad + gw
        opt.step()
        w_opt.step()
        with torch.no_grad():
            weights.clamp_(min=0.05).mul_(3.0 / weights.sum())
        bal.log.append({"loss": vec.detach(), "weights": weights.detach().clone()})
        if it % 64 == 63:
            m = torch.stack([r["loss"] for r in bal.log[-64:]]).mean(0)
            print(it + 1, "mse", m.round(decimals=4).tolist(), "weights", weights.detach().round(decimals=3).tolist())


if __name__ == "__main__":
    main()
