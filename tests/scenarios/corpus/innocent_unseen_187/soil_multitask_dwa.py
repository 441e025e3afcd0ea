# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

TASKS = ("ph", "carbon", "clay")


class DynamicWeightAverage:
    """Weights tasks by how fast each improved over the previous two rounds."""

    def __init__(self, tasks, round_steps=20, temperature=2.0):
        self.tasks = tasks
        self.round_steps = round_steps
        self.temperature = temperature
        self.current = {t: [] for t in tasks}
        self.rounds = []
        self.weights = {t: 1.0 for t in tasks}

    def record(self, losses):
        for t in self.tasks:
            self.current[t].append(losses[t])
        if len(self.current[self.tasks[0]]) == self.round_steps:
            self.rounds = self.rounds[-1:] + [self.current]
            self.current = {t: [] for t in self.tasks}
            if len(self.rounds) == 2:
                self.reweigh()

    def reweigh(self):
        before, after = self.rounds
        ratio = torch.stack([
            torch.stack(after[t]).mean() / torch.stack(before[t]).mean() for t in self.tasks
        ])
        share = (ratio / self.temperature).softmax(0) * len(self.tasks)
        self.weights = dict(zip(self.tasks, share.tolist()))


class SoilNet(nn.Module):
    def __init__(self, bands=30):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bands, 32), nn.Mish(), nn.LayerNorm(32))
        self.heads = nn.ModuleDict({t: nn.Linear(32, 1) for t in TASKS})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


def samples(n, mixing, gen):
    x = torch.randn(n, 30, generator=gen)
    latent = x @ mixing
    y = {"ph": latent[:, 0].tanh(), "carbon": 0.5 * latent[:, 1].abs(), "clay": latent[:, 2] * 0.3}
    return x, y


def main():
    torch.manual_seed(68)
    gen = torch.Generator().manual_seed(68)
    mixing = torch.randn(30, 3, generator=gen) / 5
    model = SoilNet()
    dwa = DynamicWeightAverage(TASKS)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(440):
        x, y = samples(32, mixing, gen)
        pred = model(x)
        losses = {t: F.mse_loss(pred[t], y[t]) for t in TASKS}
        total = sum(dwa.weights[t] * losses[t] for t in TASKS)
        opt.zero_grad()
        total.backward()
        opt.step()
        dwa.record(losses)
        if step % 88 == 0:
            print(step, {t: (round(losses[t].item(), 4), round(dwa.weights[t], 3)) for t in TASKS})


if __name__ == "__main__":
    main()
