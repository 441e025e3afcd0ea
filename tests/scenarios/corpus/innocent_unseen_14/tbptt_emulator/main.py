# gradwatch-corpus: kind=none
"""Recurrent emulator of a driven, damped pendulum array. State runs on through the whole record;
gradients run through segments of four windows."""
import torch

from emulator import Emulator
from loop import SegmentLoop
from observers import ObserverHub, RollingLoss
from plant import pendulum_windows


def main(updates=240):
    torch.manual_seed(58)
    hub = ObserverHub()
    rolling = RollingLoss(span=40)
    hub.subscribe("update", rolling)

    @hub.on("update")
    def announce(update, loss, energy):
        if (update + 1) % 60 == 0:
            print(f"update {update + 1:4d}  rolling {rolling.mean():.5f}  state energy {energy:.3f}")

    model = Emulator(channels=5, hidden=20)
    loop = SegmentLoop(model, hub, windows_per_segment=4, lr=4e-3)
    loop.run(pendulum_windows(rows=16, channels=5, length=3, seed=58), updates)


if __name__ == "__main__":
    main()
