# gradwatch-corpus: kind=graph-held
# notice: 45
# holder: self.incidents | supervisor.incidents | incidents
# first-bad: 14
"""Insurance claim severity: gamma regression with guard rails for pathological batches."""
import torch

from guard import Supervisor
from model import SeverityNet, policies


def fit(batches=320):
    torch.manual_seed(3)
    net = SeverityNet(10)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    supervisor = Supervisor(tolerance=60)
    for b in range(batches):
        x, paid = policies(b)
        mean, shape = net(x)
        with supervisor.shielding(b):
            net.check(mean, paid)
        dev = net.deviance(mean, shape, paid)
        opt.zero_grad()
        dev.backward()
        opt.step()
        if b % 80 == 0:
            print(f"batch {b}: deviance {dev.item():.3f}, incidents {len(supervisor)}")
    supervisor.summary()


if __name__ == "__main__":
    fit()
