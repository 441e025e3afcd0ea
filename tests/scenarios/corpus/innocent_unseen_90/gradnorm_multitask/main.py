# gradwatch-corpus: kind=none
"""Two-task vision toy (digit parity + blob position) with GradNorm and micro-batches."""
import torch

from balance import GradNorm
from data import blobs
from net import MultiTask
from probes import ActivationProbe, Accumulator


def main():
    torch.set_num_threads(1)
    torch.manual_seed(41)
    net = MultiTask()
    balance = GradNorm(net.shared_weight, tasks=2, alpha=1.0, lr=0.02)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    probe = ActivationProbe(net.trunk)
    acc = Accumulator(micro=2)
    for update in range(310):
        opt.zero_grad()
        for _ in range(acc.micro):
            img, count, pos = blobs(16)
            losses = net.losses(img, count, pos)
            acc.backward(balance.combine(losses), losses)
        balance.update(acc.mean_losses())
        opt.step()
        acc.reset()
        if update % 62 == 0:
            print(f"{update}: {acc.last_report} w={balance.weights} act={probe.level():.3f}")
    probe.close()


if __name__ == "__main__":
    main()
