# gradwatch-corpus: kind=none
from collections import deque

import torch

from cells import CellFamily
from learner import CapacityNet, MetaLearner


def main(iterations=450):
    torch.manual_seed(20)
    family = CellFamily()
    meta = MetaLearner(CapacityNet(), inner_lr=0.1, inner_steps=2)
    opt = torch.optim.Adam(meta.parameters(), lr=2e-3)
    window = deque(maxlen=50)

    for it in range(iterations):
        opt.zero_grad()
        total = 0.0
        for _ in range(2):
            cell = family.draw()
            fast = meta.adapt(*cell.measure(10))
            x, y = cell.measure(10)
            total = total + meta.loss(x, y, fast)
        total = total / 2
        total.backward()
        opt.step()
        meta.clamp_rates()
        window.append(total.item())
        if it % 50 == 0:
            lrs = [round(v, 3) for v in meta.rates()]
            print(f"{it}: query {sum(window) / len(window):.4f} start {meta.first_loss:.4f} lrs {lrs}")


if __name__ == "__main__":
    main()
