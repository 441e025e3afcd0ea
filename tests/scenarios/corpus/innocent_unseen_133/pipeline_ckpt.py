# gradwatch-corpus: kind=none
import contextlib
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.set_num_threads(1)


@dataclass
class Policy:
    name: str
    upto: int


POLICIES = [Policy("plain", 120), Policy("blocks", 360), Policy("segments", 600)]


class Pipe(nn.Module):
    def __init__(self, depth=4, width=12):
        super().__init__()
        self.inlet = nn.Linear(5, width)
        self.runs = nn.Sequential(*(nn.Sequential(nn.Linear(width, width), nn.Tanh()) for _ in range(depth)))
        self.meter = nn.Linear(width, 1)
        self.policy = "plain"
        self.taps = {}

    def body(self, h):
        if self.policy == "blocks":
            for k, run in enumerate(self.runs):
                h = checkpoint(run, h, use_reentrant=False)
                self.taps[k] = h
            return h
        if self.policy == "segments":
            return checkpoint_sequential(self.runs, 2, h, use_reentrant=True)
        return self.runs(h)

    def forward(self, x):
        return self.meter(self.body(self.inlet(x))).squeeze(-1)


@contextlib.contextmanager
def evaluation(net):
    was = net.training, net.policy
    net.eval()
    net.policy = "plain"
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was[0])
        net.policy = was[1]


def pressures(n=14):
    x = torch.randn(n, 5)
    return x, (x[:, :3].sum(-1)).sin()


def main():
    torch.manual_seed(15)
    net = Pipe()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    held_out = pressures(40)
    step, marks = 0, []
    for policy in POLICIES:
        net.policy = policy.name
        while step < policy.upto:
            x, y = pressures()
            loss = nn.functional.l1_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % 60 == 0:
                with evaluation(net) as m:
                    marks.append(nn.functional.l1_loss(m(held_out[0]), held_out[1]))
    print([round(m.item(), 3) for m in marks])


main()
