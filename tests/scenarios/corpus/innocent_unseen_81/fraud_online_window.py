# gradwatch-corpus: kind=none
"""Online fraud scoring where the label arrives late: predictions wait, with their graphs,
until the charge-back window has closed."""
from collections import OrderedDict
from dataclasses import dataclass

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Pending:
    logit: torch.Tensor
    due: int


class Ledger:
    def __init__(self, delay):
        self.delay = delay
        self.open = OrderedDict()
        self.settled = 0

    def enter(self, key, logit, now):
        self.open[key] = Pending(logit, now + self.delay)

    def mature(self, now):
        while self.open:
            key, item = next(iter(self.open.items()))
            if item.due > now:
                return
            del self.open[key]
            self.settled += 1
            yield key, item.logit


class Scorer(torch.nn.Module):
    """One wide linear layer over crossed features: only its input is kept for backward."""

    def __init__(self, n=12):
        super().__init__()
        i, j = torch.triu_indices(n, n).unbind()
        self.register_buffer("i", i)
        self.register_buffer("j", j)
        self.out = torch.nn.Linear(n + len(i), 1)

    def forward(self, x):
        return self.out(torch.cat([x, x[:, self.i] * x[:, self.j]], 1)).squeeze(1)


class Bank:
    def __init__(self, n=12, seed=5):
        self.g = torch.Generator().manual_seed(seed)
        self.m = torch.randn(n, n, generator=self.g) / n ** 0.5
        self.chargebacks = {}

    def swipe(self, key, size=40):
        x = torch.randn(size, 12, generator=self.g)
        z = ((x @ self.m) * x).sum(1) - 1.5
        self.chargebacks[key] = (torch.rand(size, generator=self.g) < z.sigmoid()).float()
        return x

    def label(self, key):
        return self.chargebacks.pop(key)


def main(ticks=240, delay=6):
    torch.manual_seed(0)
    bank, ledger, model = Bank(), Ledger(delay), Scorer()
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    curve = []
    for now in range(ticks):
        ledger.enter(now, model(bank.swipe(now)), now)
        losses = [F.binary_cross_entropy_with_logits(z, bank.label(k)) for k, z in ledger.mature(now)]
        if not losses:
            continue
        loss = torch.stack(losses).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.item())
        if now % 40 == 0:
            print(f"tick {now:3d}  open {len(ledger.open)}  loss {sum(curve[-40:]) / len(curve[-40:]):.4f}")

    rest = [F.binary_cross_entropy_with_logits(z, bank.label(k)) for k, z in ledger.mature(ticks + delay)]
    opt.zero_grad()
    torch.stack(rest).mean().backward()
    opt.step()
    print("settled", ledger.settled, "left", len(ledger.open))


if __name__ == "__main__":
    main()
