# gradwatch-corpus: kind=graph-held
# holder: self.trace | run.trace | entry["bias"]
# first-bad: 1
import torch
from torch import nn


class Plots:
    def __init__(self, fields, days, seed):
        g = torch.Generator().manual_seed(seed)
        self.rain = torch.rand(fields, days, generator=g).pow(3) * 20
        self.clay = torch.rand(fields, 1, generator=g)
        m = torch.full((fields,), 0.3)
        rows = []
        for d in range(days):
            m = (m + 0.01 * self.rain[:, d] - 0.05 * m * (1.2 - self.clay[:, 0])).clamp(0.02, 0.6)
            rows.append(m)
        self.moisture = torch.stack(rows, 1)

    def window(self, start, width):
        rain = self.rain[:, start:start + width]
        return torch.cat([rain / 20, self.clay], 1), self.moisture[:, start + width - 1]


class Bucket(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width + 1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh())
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        mean, log_scale = self.head(self.body(x)).unbind(-1)
        return mean.sigmoid() * 0.6, log_scale.clamp(-5, 1)


class Run:
    def __init__(self, plots, width=10):
        self.plots = plots
        self.width = width
        self.model = Bucket(width)
        self.opt = torch.optim.RMSprop(self.model.parameters(), lr=1e-3)
        self.trace = []

    def step(self, i):
        x, y = self.plots.window(i % (self.plots.rain.shape[1] - self.width), self.width)
        mean, log_scale = self.model(x)
        z = (y - mean) / log_scale.exp()
        nll = (0.5 * z.pow(2) + log_scale).mean()
        self.opt.zero_grad()
        nll.backward()
        self.opt.step()
        entry = {"step": i, "nll": nll.item(), "spread": log_scale.detach().mean().item()}
        entry["bias"] = (mean - y).mean()  # <- culprit
        self.trace.append(entry)
        return entry

    def report(self, last):
        rows = self.trace[-last:]
        with torch.no_grad():
            bias = torch.stack([r["bias"] for r in rows]).mean()
        nll = sum(r["nll"] for r in rows) / len(rows)
        return f"nll {nll:.3f} bias {bias:+.4f} spread {rows[-1]['spread']:.2f}"


def main():
    torch.manual_seed(0)
    run = Run(Plots(40, 200, seed=2))
    for i in range(600):
        run.step(i)
        if i % 150 == 149:
            print(i + 1, run.report(50))


if __name__ == "__main__":
    main()
