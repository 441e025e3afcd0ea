# gradwatch-corpus: kind=memory-climb
# holder: self.ring | keeper.ring | rollback.ring | ring
# first-bad: 1
"""Vineyard yield maps from multispectral tiles. A few recent weight snapshots are kept so that the run can
roll back when the loss jumps."""
import torch

from rollback import Rollback
from vines import YieldNet, tiles


def main(steps=330):
    torch.manual_seed(70)
    net = YieldNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    keeper = Rollback(net, keep=5, factor=4.0)
    for step, (spec, mass) in enumerate(tiles(steps)):
        mse = torch.nn.functional.mse_loss(net(spec), mass)
        opt.zero_grad()
        mse.backward()
        opt.step()
        if keeper.watch(step, mse.item()):
            print("rolled back at", step)
        if step % 66 == 0:
            print(f"step {step}: mse {mse.item():.4f}")


if __name__ == "__main__":
    main()
