# gradwatch-corpus: kind=crashed
# first-bad: 50
# notice: 0
"""Bird-call classifier trained in stages, each described by a configuration block."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)


@dataclass
class Stage:
    name: str
    steps: int
    lr: float
    train: dict = field(default_factory=dict)


PLAN = [
    Stage("all", 50, 1e-2, {"filters": True, "attention": True, "species": True}),
    Stage("species-only", 150, 1e-3, {"filters": False, "attention": False, "specie": True}),  # <- culprit
]


class CallNet(nn.Module):
    def __init__(self, species=4):
        super().__init__()
        self.filters = nn.Conv1d(8, 12, 3)
        self.attention = nn.Linear(12, 1)
        self.species = nn.Linear(12, species)

    def forward(self, spec):
        h = torch.relu(self.filters(spec)).transpose(1, 2)
        w = self.attention(h).softmax(1)
        return self.species((w * h).sum(1))


def prepare(net, stage):
    for name, part in net.named_children():
        part.requires_grad_(stage.train.get(name, False))  # <- culprit
    return torch.optim.SGD(net.parameters(), lr=stage.lr, momentum=0.9)


def recordings(n=16):
    who = torch.randint(0, 4, (n,))
    spec = torch.rand(n, 8, 18)
    spec[torch.arange(n), who * 2] += 1.0
    return spec, who


net = CallNet()
for stage in PLAN:
    opt = prepare(net, stage)
    for k in range(stage.steps):
        spec, who = recordings()
        loss = nn.functional.cross_entropy(net(spec), who)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(stage.name, loss.item())
