# gradwatch-corpus: kind=graph-held
# holder: report.rejected | self.rejected | rejected
# first-bad: 1
# notice: 8
"""Nightly fit of the amount reader.  A stack that fails the plausibility check is set
aside with its reason and goes to Petra in accounting in the morning."""
import dataclasses

import torch
from torch import nn

torch.set_num_threads(1)


class Implausible(Exception):
    pass


@dataclasses.dataclass
class NightReport:
    fitted: int = 0
    rejected: list = dataclasses.field(default_factory=list)

    def lines(self):
        yield f"fitted stacks: {self.fitted}"
        yield f"rejected scans: {len(self.rejected)}"
        for stack, why in self.rejected[-3:]:
            yield f"   stack {stack}: {why}"


class AmountReader(nn.Module):
    def __init__(self, pixels=36):
        super().__init__()
        self.eye = nn.Sequential(nn.Linear(pixels, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
        self.digits = nn.Linear(24, 10)

    def forward(self, scan):
        return self.digits(self.eye(scan))


STAMPS = torch.randn(10, 36, generator=torch.Generator().manual_seed(9))


def stack_of_scans(n=10):
    digit = torch.randint(0, 10, (n,))
    return STAMPS[digit] + 0.6 * torch.randn(n, 36), digit


def check_totals(model, scans, printed_total):
    probs = model(scans).softmax(1)
    expected = (probs * torch.arange(10.0)).sum()
    gap = abs(expected.item() - printed_total)
    if gap > 0.01:
        raise Implausible(f"sum off by {gap:.2f}")
    return expected


def fit_stack(model, opt, scans, digit):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(scans), digit)
    loss.backward()
    opt.step()


def night_job(stacks=400):
    model = AmountReader()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    report = NightReport()
    for s in range(stacks):
        scans, digit = stack_of_scans()
        try:
            check_totals(model, scans, float(digit.sum()))
        except Implausible as why:
            report.rejected.append((s, why))  # <- culprit
        fit_stack(model, opt, scans, digit)
        report.fitted += 1
    return report


if __name__ == "__main__":
    torch.manual_seed(90)
    print("\n".join(night_job().lines()))
