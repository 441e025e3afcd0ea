# gradwatch-corpus: kind=none
"""Queue length, delay and spill-back of a signalled junction from one shared trunk;
conflicting gradients of the three tasks are projected off each other before each update."""
import torch
from torch import nn

from junction import JunctionData
from surgery import GradientSurgeon
from tasks import TASKS, build_heads


class JunctionNet(nn.Module):
    def __init__(self, dim, width=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = build_heads(width)

    def forward(self, x):
        z = self.trunk(x)
        return {name: head(z).squeeze(-1) for name, head in self.heads.items()}


def train(iters=300, seed=61):
    torch.manual_seed(seed)
    data = JunctionData(batch=48, seed=seed)
    net = JunctionNet(data.dim)
    surgeon = GradientSurgeon(net.parameters(), seed=seed)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    log = {name: [] for name in TASKS}
    conflicts = []
    for it in range(iters):
        x, targets = next(data)
        out = net(x)
        losses = {name: task(out[name], targets[name]) for name, task in TASKS.items()}
        opt.zero_grad()
        conflicts.append(surgeon.assign(list(losses.values())))
        opt.step()
        for name, loss in losses.items():
            log[name].append(loss.item())
        if it % 60 == 59:
            text = "  ".join(f"{n} {sum(v[-30:]) / 30:.3f}" for n, v in log.items())
            print(f"it {it + 1}: {text}  conflicts {sum(conflicts[-60:]) / 60:.2f}")


if __name__ == "__main__":
    train()
