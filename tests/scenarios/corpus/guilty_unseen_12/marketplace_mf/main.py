# gradwatch-corpus: kind=graph-chain
# holder: self._scale | self._scale[name] | balancer._scale | engine.balancer._scale | self.balancer._scale | balancer._scale["dwell"] | self._scale["dwell"] | scale | previous
# first-bad: 1
"""Marketplace factorisation with two objectives (click, dwell time); dwell time
is brought to the scale of the clicks by its running magnitude."""
import torch

from balance import RunningScale
from engine import Engine
from factors import SharedFactors, click_loss, dwell_loss

USERS, ITEMS = 60, 50


def visits(batch=32, seed=31):
    gen = torch.Generator().manual_seed(seed)
    a, b = torch.randn(USERS, 3, generator=gen), torch.randn(ITEMS, 3, generator=gen)
    while True:
        u = torch.randint(USERS, (batch,), generator=gen)
        i = torch.randint(ITEMS, (batch,), generator=gen)
        affinity = (a[u] * b[i]).sum(-1)
        yield {"user": u, "item": i, "click": (affinity > 0.5).float(),
               "dwell": 30 * torch.sigmoid(affinity)}


def main(steps=200):
    torch.manual_seed(12)
    model = SharedFactors(USERS, ITEMS, 6)
    engine = Engine(model, {"click": click_loss, "dwell": dwell_loss}, RunningScale("dwell"), lr=0.02)

    @engine.subscribe(priority=5)
    def table(step, losses, norms):
        if step % 50 == 0:
            print(step, {k: round(v, 4) for k, v in losses.items()},
                  {k: round(v, 4) for k, v in norms.items()})

    engine.run(visits(), steps)
    print("done")


if __name__ == "__main__":
    main()
