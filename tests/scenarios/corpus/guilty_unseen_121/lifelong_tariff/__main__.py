# gradwatch-corpus: kind=graph-held
# holder: self.rows | ledger.rows | ledger.rows[task]
# first-bad: 12
# notice: 8
"""Electricity-demand model that meets one tariff zone after another."""
import torch

torch.set_num_threads(1)
torch.manual_seed(301)

from .ledger import ForgettingLedger
from .zones import Zone, DemandNet

ZONES = 50
STEPS_PER_ZONE = 12


def learn_zone(net, opt, zone):
    for _ in range(STEPS_PER_ZONE):
        x, y = zone.draw(20)
        opt.zero_grad()
        loss = torch.nn.functional.l1_loss(net(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


def main():
    net = DemandNet()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    ledger = ForgettingLedger(look_back=3)
    for task in range(ZONES):
        zone = Zone(task)
        learn_zone(net, opt, zone)
        ledger.close(task, zone, net)
    print(f"mean forgetting over {ZONES} zones: {ledger.forgetting():.4f}")


if __name__ == "__main__":
    main()
