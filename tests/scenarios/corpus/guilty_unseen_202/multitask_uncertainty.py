# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | balancer.smoothed
# first-bad: 1
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class MTLConfig:
    tasks: tuple = ("depth", "normal", "seg")
    width: int = 48
    batch_size: int = 32
    iterations: int = 500
    lr: float = 2e-3
    momentum: float = 0.9
    betas: tuple = field(default=(0.9, 0.99))


class SharedTrunk(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        w = cfg.width
        self.trunk = nn.Sequential(nn.Linear(16, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU())
        self.heads = nn.ModuleDict({"depth": nn.Linear(w, 1), "normal": nn.Linear(w, 3), "seg": nn.Linear(w, 4)})

    def forward(self, x):
        z = self.trunk(x)
        return {k: head(z) for k, head in self.heads.items()}


class UncertaintyBalancer(nn.Module):
    """Kendall et al. weighting; the log variances are smoothed because they jump early on."""

    def __init__(self, tasks, momentum):
        super().__init__()
        self.tasks = tasks
        self.momentum = momentum
        self.log_vars = nn.Parameter(torch.zeros(len(tasks)))
        self.smoothed = None

    def forward(self, losses):
        if self.smoothed is None:
            self.smoothed = self.log_vars.clone()
        else:
            self.smoothed = torch.lerp(self.log_vars, self.smoothed, self.momentum)  # <- culprit
        total = 0.0
        for s, name in zip(self.smoothed, self.tasks):
            total = total + torch.exp(-s) * losses[name] + 0.5 * s
        return total

    def weights(self):
        return {t: round(v, 3) for t, v in zip(self.tasks, torch.exp(-self.log_vars).tolist())}


class SceneData:
    def __init__(self, n=2048, seed=21):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 16, generator=g)
        a = torch.randn(16, 8, generator=g) / 4
        h = torch.tanh(self.x @ a)
        self.y = {
            "depth": h[:, :1].abs() * 3,
            "normal": F.normalize(h[:, 1:4], dim=1),
            "seg": h[:, 4:8].argmax(1),
        }

    def batch(self, k):
        i = torch.randint(0, len(self.x), (k,))
        return self.x[i], {t: v[i] for t, v in self.y.items()}


def task_losses(out, y):
    return {
        "depth": F.l1_loss(out["depth"], y["depth"]),
        "normal": 1 - F.cosine_similarity(out["normal"], y["normal"]).mean(),
        "seg": F.cross_entropy(out["seg"], y["seg"]),
    }


def run(cfg):
    torch.manual_seed(0)
    data, net = SceneData(), SharedTrunk(cfg)
    balancer = UncertaintyBalancer(cfg.tasks, cfg.momentum)
    optimizer = torch.optim.Adam([{"params": net.parameters()},
                                  {"params": balancer.parameters(), "lr": 5 * cfg.lr}],
                                 lr=cfg.lr, betas=cfg.betas)
    for it in range(cfg.iterations):
        x, y = data.batch(cfg.batch_size)
        losses = task_losses(net(x), y)
        total = balancer(losses)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        if it % 100 == 0:
            print(it, {k: round(v.item(), 3) for k, v in losses.items()}, balancer.weights())


if __name__ == "__main__":
    run(MTLConfig())
