# gradwatch-corpus: kind=second-backward
# holder: self._cached | penalty._cached | reg._cached | self.reg._cached
# first-bad: 26
"""python -m orth_schedule: classifier with an orthogonality penalty that starts after warm-up."""
import torch
from torch import nn

from .penalty import LazyOrthogonality
from .schedule import Phase, phases


def main():
    torch.manual_seed(70)
    net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
    reg = LazyOrthogonality(net, every=10)
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    mu = torch.randn(4, 16)
    for step, phase in phases(warmup=25, total=140):
        y = torch.randint(0, 4, (32,))
        loss = nn.functional.cross_entropy(net(mu[y] + torch.randn(32, 16)), y)
        if phase is Phase.REGULARISED:
            loss = loss + 1e-2 * reg()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, phase.name, round(loss.item(), 4))


if __name__ == "__main__":
    main()
