# gradwatch-corpus: kind=grads-accumulate
# first-bad: 21
"""Fruit ripeness grading: the (pre-fitted) trunk stays frozen while the head warms up and is then released."""
import types

import torch
from torch import nn

torch.manual_seed(36)
args = types.SimpleNamespace(rounds=260, thaw=20, head_lr=5e-3, trunk_lr=1e-4)


class Grader(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(30, 48), nn.Tanh(), nn.Linear(48, 24), nn.Tanh())
        self.head = nn.Linear(24, 4)
        self.trunk.requires_grad_(False)

    def forward(self, x):
        return self.head(self.trunk(x))

    def thaw(self):
        self.trunk.requires_grad_(True)


def crates(n, size=32):
    g = torch.Generator().manual_seed(36)
    centres = torch.randn(4, 30, generator=g)
    for _ in range(n):
        grade = torch.randint(0, 4, (size,), generator=g)
        yield centres[grade] * 0.6 + torch.randn(size, 30, generator=g), grade


def clear(params):
    for p in params:
        p.grad = None


net = Grader()
opt = torch.optim.Adam([{"params": net.head.parameters(), "lr": args.head_lr}])
trainable = [p for p in net.parameters() if p.requires_grad]  # <- culprit
for rnd, (x, grade) in enumerate(crates(args.rounds)):
    if rnd == args.thaw:
        net.thaw()
        opt.add_param_group({"params": net.trunk.parameters(), "lr": args.trunk_lr})
        print("trunk released")
    ce = nn.functional.cross_entropy(net(x), grade, label_smoothing=0.05)
    clear(trainable)  # <- culprit
    ce.backward()
    opt.step()  # <- culprit
    if rnd % 52 == 0:
        print(f"round {rnd}: ce {ce.item():.4f}")
