# gradwatch-corpus: kind=none
"""Three tasks on one trunk, conflicting gradients projected away (PCGrad)."""
import random
from collections import OrderedDict

import torch
from torch import nn

TASKS = OrderedDict(lane=2, depth=1, sign=6)


class SceneNet(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, n) for t, n in TASKS.items()})

    def forward(self, x):
        z = self.trunk(x)
        return {t: h(z) for t, h in self.heads.items()}


class Scenes:
    def __init__(self, n_in):
        self.w = {t: torch.randn(n_in, n) for t, n in TASKS.items()}
        self.n_in = n_in

    def batch(self, k):
        x = torch.randn(k, self.n_in)
        y = {t: x @ w for t, w in self.w.items()}
        y["lane"] = torch.sin(y["lane"])
        y["sign"] = y["sign"].argmax(1)
        return x, y


def losses(out, y):
    return {
        "lane": nn.functional.mse_loss(out["lane"], y["lane"]),
        "depth": nn.functional.huber_loss(out["depth"], y["depth"]),
        "sign": nn.functional.cross_entropy(out["sign"], y["sign"]),
    }


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def _flat_grad(self, loss, keep):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=keep)
        return torch.cat([
            (p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in self.params
        ])

    def step(self, parts):
        grads = [self._flat_grad(l, keep=i < len(parts) - 1) for i, l in enumerate(parts)]
        merged, conflicts = torch.zeros_like(grads[0]), 0
        for g in grads:
            g = g.clone()
            for other in random.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    g -= dot / (other @ other) * other
                    conflicts += 1
            merged += g
        offset = 0
        for p in self.params:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        self.optimizer.step()
        return conflicts


def main():
    torch.manual_seed(5)
    random.seed(5)
    scenes, net = Scenes(10), SceneNet(10, 40)
    pc = PCGrad(torch.optim.Adam(net.parameters(), lr=3e-3))
    report = dict.fromkeys(TASKS, 0.0)
    for it in range(180):
        x, y = scenes.batch(48)
        parts = losses(net(x), y)
        conflicts = pc.step(list(parts.values()))
        for t, l in parts.items():
            report[t] = 0.9 * report[t] + 0.1 * l.item()
        if it % 45 == 0:
            print(it, {t: round(v, 3) for t, v in report.items()}, "conflicts", conflicts)


if __name__ == "__main__":
    main()
