# gradwatch-corpus: kind=graph-chain
# holder: self.slots | anchor.slots | self.slots[name] | anchor.slots[name]
# first-bad: 1
# notice: 5
"""Regress heat demand of a small district; weights are softly pulled toward a slow average of themselves."""
import torch

from anchors import PolyakAnchor
from plant import DemandNet, HourlyDemand


def run(steps=260, lr=0.05, pull=2e-3):
    torch.set_num_threads(1)
    torch.manual_seed(7)
    data = HourlyDemand(n_features=9)
    net = DemandNet(n_features=9, width=24)
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.8)
    anchor = PolyakAnchor(dict(net.named_parameters()), decay=0.95)

    shown = 0.0
    for step in range(steps):
        x, y = data.batch(32)
        fit = (net(x) - y).square().mean()
        loss = fit + pull * anchor.penalty()
        anchor.advance()

        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()

        shown = 0.9 * shown + 0.1 * fit.item()
        if step % 65 == 64:
            print(f"step {step:4d}  fit {shown:.4f}  distance {anchor.distance():.4f}")


if __name__ == "__main__":
    run()
