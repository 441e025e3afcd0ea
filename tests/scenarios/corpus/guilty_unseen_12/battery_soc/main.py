# gradwatch-corpus: kind=graph-chain
# holder: _cell_state | state._cell_state | _cell_state.get() | state.current() | h
# first-bad: 1
"""Online state-of-charge estimator: a recurrent cell follows the current of a battery
pack and is corrected after every sample of the coulomb counter."""
import math

import torch

import state
from cell import PackCell
from optim import PlainMomentum
from trainer import OnlineTrainer


def drive_cycle(packs=16, seed=40):
    """Current, temperature -> true state of charge, sample after sample."""
    gen = torch.Generator().manual_seed(seed)
    soc = torch.full((packs, 1), 0.8)
    t = 0
    while True:
        current = 0.6 * math.sin(t / 9) + 0.2 * torch.randn(packs, 1, generator=gen)
        temp = 0.1 * torch.randn(packs, 1, generator=gen)
        soc = (soc - 0.02 * current).clamp(0.05, 0.95)
        t += 1
        yield torch.cat([current, temp], 1), soc


def main(steps=220):
    torch.manual_seed(19)
    cell = PackCell(inputs=2, hidden=12)
    trainer = OnlineTrainer(cell, PlainMomentum(cell.parameters(), lr=0.02))
    with state.fresh(torch.zeros(16, 12)):
        for step, (x, soc) in zip(range(steps), drive_cycle()):
            err = trainer.observe(x, soc)
            if step % 50 == 0:
                print(f"sample {step:3d}: squared error {err:.5f}, max |h| {trainer.state_size():.3f}")
    print("finished")


if __name__ == "__main__":
    main()
