# gradwatch-corpus: kind=none
"""Land-cover pixels from three sensors in turn; the table compares this epoch with the last."""
import torch

from kit.hooks import CompareHook
from kit.loop import Loop
from kit.pixels import SENSORS, Pixels, PixelNet

torch.set_num_threads(1)
torch.manual_seed(47)


def main():
    loop = Loop(PixelNet(7, 5), hooks=[CompareHook(SENSORS, keep=2)])
    loop.run(Pixels(7, 5), epochs=40, rounds=4)


if __name__ == "__main__":
    main()
