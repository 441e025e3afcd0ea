# gradwatch-corpus: kind=none
import copy
from collections import Counter
from dataclasses import asdict, dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Ledger:
    supervised: float = 0.0
    consistency: float = 0.0
    drift: float = 0.0
    smooth: torch.Tensor = None


class Ramp:
    def __init__(self, start, length, top):
        self.start, self.length, self.top = start, length, top

    def __call__(self, k):
        return self.top * min(max((k - self.start) / self.length, 0.0), 1.0)


class MeanTeacher:
    def __init__(self, student, decay=0.98):
        self.student, self.decay = student, decay
        self.teacher = copy.deepcopy(student).requires_grad_(False)

    @torch.no_grad()
    def pull(self):
        drift = 0.0
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            drift += (t - s).square().sum()
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)
        return drift

    def losses(self, x, y, wild):
        sup = F.cross_entropy(self.student(x), y)
        with torch.inference_mode():
            target = self.teacher(wild).softmax(-1)
        cons = (self.student(wild + 0.1 * torch.randn_like(wild)).softmax(-1) - target.clone()).square().sum(-1).mean()
        return sup, cons


def grains(n, centres):
    y = torch.randint(0, len(centres), (n,))
    return centres[y] + 0.8 * torch.randn(n, centres.shape[1]), y


def main():
    torch.manual_seed(58)
    centres = torch.randn(4, 7) * 1.5
    pair = MeanTeacher(nn.Sequential(nn.Linear(7, 18), nn.ReLU(), nn.Dropout(0.1), nn.Linear(18, 4)))
    opt = torch.optim.Adam(pair.student.parameters(), lr=3e-3)
    ramp, ledger, pages, seen = Ramp(80, 300, 4.0), Ledger(), [], Counter()
    for k in range(900):
        x, y = grains(8, centres)
        sup, cons = pair.losses(x, y, grains(24, centres)[0])
        loss = sup + ramp(k) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        ledger.supervised += sup.item()
        ledger.consistency += cons.detach()
        ledger.drift += pair.pull()
        old = ledger.smooth
        ledger.smooth = loss.detach() if old is None else 0.95 * old + 0.05 * loss.detach()
        seen.update(y.tolist())
        pages.append({k: float(v) for k, v in asdict(ledger).items()})
        if k % 45 == 44:
            ledger = Ledger(smooth=ledger.smooth)
    print(len(pages), pages[-1], dict(seen))


if __name__ == "__main__":
    main()
