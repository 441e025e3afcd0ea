# gradwatch-corpus: kind=graph-held
# holder: monitor.level | self.level
# first-bad: 1
# notice: 8
"""Fit a pair potential to (synthetic) argon energies; watch the energy level of the run."""
import torch

torch.set_num_threads(1)

from model import PairNet, lennard_jones
from monitor import RunMonitor


def sample_cluster(gen, n=6):
    base = torch.arange(n, dtype=torch.float32)
    xyz = torch.stack([base % 2, (base // 2) % 2, base // 4], dim=1) * 1.2
    return xyz + 0.08 * torch.randn(n, 3, generator=gen)


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)
    net = PairNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    monitor = RunMonitor(beta=0.97)

    for it in range(420):
        clusters = torch.stack([sample_cluster(gen) for _ in range(4)])
        ref = lennard_jones(clusters)
        err = ((net(clusters) - ref) ** 2).mean()
        opt.zero_grad()
        err.backward()
        opt.step()
        monitor.see(err)  # <- culprit
        if it % 70 == 0:
            print(it, monitor.text())


if __name__ == "__main__":
    main()
