# gradwatch-corpus: kind=graph-held
# holder: self._soft | gate._soft | layer.gate._soft | _soft | model.blocks[0].gate._soft | model.blocks[1].gate._soft
# first-bad: 1
# notice: 8
"""Channel pruning of a small classifier with annealed concrete gates."""
from __future__ import annotations

import torch
import torch.nn.functional as F

from layers import GatedMLP
from schedule import TemperatureSchedule


def make_batch(gen, proto, n=40):
    label = torch.randint(0, proto.size(0), (n,), generator=gen)
    return proto[label] + 0.7 * torch.randn(n, proto.size(1), generator=gen), label


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(32)
    proto = torch.randn(5, 20, generator=gen)

    model = GatedMLP(20, [40, 24], 5)
    schedule = TemperatureSchedule(start=2.0, end=0.4, steps=300)
    optim = torch.optim.AdamW(model.parameters(), lr=3e-3)

    for it in range(300):
        tau = schedule(it)
        x, y = make_batch(gen, proto)
        ce = F.cross_entropy(model(x, tau), y)
        budget = model.expected_width(tau) / model.total_width
        loss = ce + 0.3 * budget
        optim.zero_grad(set_to_none=True)
        loss.backward()
        optim.step()
        if it % 60 == 59:
            open_gates = sum(int(g.n_open(tau)) for g in model.gates())
            print(f"{it:3d} tau {tau:.2f} ce {ce.item():.3f} width {budget.item():.2f} open {open_gates}")


if __name__ == "__main__":
    main()
