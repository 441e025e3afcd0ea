# gradwatch-corpus: kind=graph-chain
# holder: self.x | pool.x | rc.x | self.pool.x
# first-bad: 1
"""Tunes the hyper-parameters of an echo-state network (decay, input gain, spectral scale) by gradient on NARMA-10.

The reservoir runs through the signal in short segments; the readout is refitted by ridge regression per segment.
"""
import torch

from narma import narma_stream
from pool import EchoPool
from readout import ridge_score

SEGMENT = 8
EPOCH = 170


def main():
    torch.manual_seed(77)
    pool = EchoPool(units=40)
    opt = torch.optim.Adam(pool.parameters(), lr=0.02)
    feed = narma_stream(SEGMENT)
    for k in range(EPOCH):
        u, y = next(feed)
        states = pool.drive(u)
        nmse = ridge_score(states, y)
        opt.zero_grad()
        nmse.backward(retain_graph=True)  # <- culprit
        opt.step()
        if k % 34 == 0:
            a, g, r = pool.describe()
            print(f"segment {k:3d} nmse {nmse.item():.4f}  decay {a:.3f} gain {g:.3f} radius {r:.3f}")
    print("done", [round(v, 3) for v in pool.describe()])


if __name__ == "__main__":
    main()
