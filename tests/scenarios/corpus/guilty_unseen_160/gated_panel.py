# gradwatch-corpus: kind=graph-chain
# holder: _ctx.slow | _ctx.__dict__["slow"] | ctx.slow | _ctx
# first-bad: 1
# notice: 5
"""Feature gates for a panel of assays; the gate is pulled towards its own slow average."""
import threading

import torch
from torch import nn

torch.manual_seed(23)
torch.set_num_threads(1)

ASSAYS, BATCH, STEPS = 48, 256, 180
_ctx = threading.local()


def slow_gate(gate, rate=0.1):
    """Average of the gate over the steps of the calling worker."""
    previous = getattr(_ctx, "slow", None)
    if previous is None:
        previous = gate.detach().clone()
    _ctx.slow = torch.lerp(previous, gate, rate)  # <- culprit
    return _ctx.slow


class GatedPanel(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.ones(ASSAYS))
        self.net = nn.Sequential(nn.Linear(ASSAYS, 64), nn.SiLU(), nn.Linear(64, 3))

    def forward(self, x):
        return self.net(x * self.gate)

    def anchor_loss(self):
        return (self.gate - slow_gate(self.gate)).square().sum()

    def sparsity(self):
        return self.gate.abs().mean()


class PanelData:
    def __init__(self, informative=6):
        self.proto = torch.zeros(3, ASSAYS)
        self.proto[:, :informative] = torch.randn(3, informative)

    def draw(self):
        y = torch.randint(0, 3, (BATCH,))
        return self.proto[y] + torch.randn(BATCH, ASSAYS), y


class Worker(threading.Thread):
    """Trains one panel; several could run side by side."""

    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.model = GatedPanel()
        self.data = PanelData()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)

    def run(self):
        for step in range(self.steps):
            x, y = self.data.draw()
            fit = nn.functional.cross_entropy(self.model(x), y)
            loss = fit + 0.5 * self.model.anchor_loss() + 0.2 * self.model.sparsity()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 45 == 0:
                print(f"step {step:3d} fit {fit.item():.4f}")


def main():
    worker = Worker(STEPS)
    worker.run()
    kept = (worker.model.gate.detach().abs() > 0.8).sum().item()
    print("assays kept", kept)


if __name__ == "__main__":
    main()
