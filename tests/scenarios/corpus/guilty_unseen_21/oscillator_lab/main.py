# gradwatch-corpus: kind=graph-chain
# holder: self.x | self.v | observer.x | observer.v | self.observer.x | self.observer.v | fit.observer.x | fit.observer.v
# first-bad: 1
"""Identify stiffness, damping and the observer's gains of a mass-spring chain from a running stream of measurements."""
import torch

from fit import StreamFit
from observer import ChainObserver
from plant import measured


def describe(step, value, observer):
    p = observer.physical()
    print(f"{step:4d}  err {value:.5f}  k {p['k'].item():.3f}  c {p['c'].item():.3f}  "
          f"gain {p['gx'].item():.2f}/{p['gv'].item():.2f}")


def main(windows=210, masses=6):
    torch.manual_seed(11)
    stream = measured(masses=masses, dt=0.05, noise=0.01, window=1)
    observer = ChainObserver(masses, dt=0.05)
    observer.reset(next(stream)[0][0])
    fit = StreamFit(observer, lr=0.02, callbacks=[])
    fit.callbacks.append(lambda step, value: step % 50 == 0 and describe(step, value, observer))
    fit.run(stream, windows)
    describe(windows, fit.last, observer)


if __name__ == "__main__":
    main()
