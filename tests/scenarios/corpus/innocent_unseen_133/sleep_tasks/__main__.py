# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .balance import GradShares
from .heads import SleepNet, nights


def main():
    torch.manual_seed(70)
    net = SleepNet()
    shares = GradShares(net.trunk, every=3)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step, night in enumerate(nights(700)):
        losses = net.losses(night)
        opt.zero_grad()
        shares.descend(step, losses)
        opt.step()
    print({k: round(v, 3) for k, v in shares.scale.items()})


main()
