# gradwatch-corpus: kind=graph-held
# holder: self.findings | protocol.findings | self.findings[-1] | protocol.findings[-1] | self.findings[-1].__traceback__ | finding
# first-bad: 1
"""Surface inspection of stamped parts: a small CNN finds scratches, pits and stains on the line camera's crops.

Plant rules are plugins; a rule that is not met interrupts nothing, it goes into the protocol of the shift.
"""
import torch
import torch.nn.functional as F
from torch import nn

import rules  # noqa: F401  (registers the plant rules)
from line import DEFECTS, LineCamera
from plugins import RuleBroken, active_rules


class SurfaceNet(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.kind = nn.Linear(8 * width, len(DEFECTS))

    def forward(self, crops):
        return self.kind(self.body(crops))


class ShiftProtocol:
    def __init__(self):
        self.findings = []

    def enter(self, lot, finding):
        finding.lot = lot
        self.findings.append(finding)  # <- culprit

    def by_rule(self):
        count = {}
        for f in self.findings:
            count[f.rule] = count.get(f.rule, 0) + 1
        return count


def inspect(logits, target):
    """Puts the batch before every active rule; the first one broken speaks up."""
    probs = logits.softmax(dim=1)
    for rule in active_rules():
        rule.check(probs, target)


def main(lots=240):
    torch.manual_seed(77)
    torch.set_num_threads(1)
    camera = LineCamera(seed=4)
    net = SurfaceNet()
    optim = torch.optim.Adam(net.parameters(), lr=2e-3)
    protocol = ShiftProtocol()
    for lot in range(lots):
        crops, target = camera.crops(16)
        logits = net(crops)
        loss = F.cross_entropy(logits, target)
        optim.zero_grad()
        loss.backward()
        optim.step()
        try:
            inspect(logits, target)  # <- culprit
        except RuleBroken as finding:
            protocol.enter(lot, finding)  # <- culprit
        if (lot + 1) % 60 == 0:
            print(f"lot {lot + 1}: loss {loss.item():.3f}, protocol {protocol.by_rule()}")
    last = protocol.findings[-1]
    print(f"last entry: lot {last.lot}: {last}")


if __name__ == "__main__":
    main()
