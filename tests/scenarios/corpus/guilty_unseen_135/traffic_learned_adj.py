# gradwatch-corpus: kind=second-backward
# holder: self.support | exp.support
# first-bad: 1
# notice: 0
"""Traffic speeds over a road net whose adjacency is learned from node embeddings (Graph-WaveNet-like)."""
import torch

torch.set_num_threads(1)
from torch import nn


class LearnedAdjacency(nn.Module):
    def __init__(self, nodes, dim):
        super().__init__()
        self.src = nn.Parameter(torch.randn(nodes, dim) * 0.3)
        self.dst = nn.Parameter(torch.randn(nodes, dim) * 0.3)

    def forward(self):
        return torch.softmax(torch.relu(self.src @ self.dst.t()), dim=1)


class Diffusion(nn.Module):
    def __init__(self, steps, hidden, hops=2):
        super().__init__()
        self.hops = hops
        self.inp = nn.Linear(steps, hidden)
        self.mix = nn.Linear(hidden * (hops + 1), hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, series, support):
        h = torch.tanh(self.inp(series))
        feats = [h]
        for _ in range(self.hops):
            feats.append(torch.einsum("ij,bjf->bif", support, feats[-1]))
        return self.out(torch.relu(self.mix(torch.cat(feats, -1)))).squeeze(-1)


class Experiment:
    conf = {"nodes": 10, "past": 6, "hidden": 12, "lr": 2e-3, "iters": 300}

    def __init__(self, **overrides):
        self.conf = {**self.conf, **overrides}
        self.adj = LearnedAdjacency(self.conf["nodes"], 4)
        self.net = Diffusion(self.conf["past"], self.conf["hidden"])
        self.speeds = self._sensor_data()
        self.setup()

    def _sensor_data(self, n=500):
        coupling = torch.softmax(torch.randn(self.conf["nodes"], self.conf["nodes"]), 1)
        rows = [torch.randn(self.conf["nodes"])]
        for _ in range(n):
            rows.append(0.9 * coupling @ rows[-1] + 0.3 * torch.randn(self.conf["nodes"]))
        return torch.stack(rows)

    def setup(self):
        params = [*self.adj.parameters(), *self.net.parameters()]
        self.opt = torch.optim.Adam(params, lr=self.conf["lr"])
        self.support = self.adj()  # <- culprit

    def batches(self):
        past = self.conf["past"]
        while True:
            s = torch.randint(0, len(self.speeds) - past - 1, (8,))
            yield torch.stack([self.speeds[i:i + past].t() for i in s]), self.speeds[s + past]

    def run(self):
        for it, (x, y) in zip(range(self.conf["iters"]), self.batches()):
            mae = (self.net(x, self.support) - y).abs().mean()
            self.opt.zero_grad()
            mae.backward()
            self.opt.step()
            if it % 50 == 0:
                print(it, mae.item())


torch.manual_seed(14)
exp = Experiment(hidden=10)
exp.run()
