# gradwatch-corpus: kind=none
"""Turbine-blade strain regression. A ledger notes every loss and every activation without owning it."""
import torch

from blades import StrainNet, blade_batch
from ledger import Ledger, WeakTap


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1212)
    net = StrainNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    ledger = Ledger()
    tap = WeakTap(net.hidden, ledger)
    recent = []
    for it in range(420):
        x, y = blade_batch(32)
        loss = torch.nn.functional.smooth_l1_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ledger.note("loss", it, loss)
        recent.append(loss)
        if len(recent) == 30:
            values = torch.stack(recent).detach()
            if it % 60 == 59:
                spread = f"{values.mean().item():.4f} +- {values.std().item():.4f}"
                print(f"it {it + 1}: {spread} | {ledger.alive()} of {len(ledger)} noted tensors still around")
            recent.clear()
    tap.remove()
    print("first seen / last seen:", ledger.first(), ledger.last())


if __name__ == "__main__":
    main()
