# gradwatch-corpus: kind=graph-held
# holder: self.skipped | decoder.skipped | run.skipped | self.skipped[-1] | err | err.__traceback__
# first-bad: 1
"""Reach-direction decoding from binned motor-cortex spike trains with a small spiking layer
trained by surrogate gradients; the Fano factor of the hidden units is logged alongside."""
import torch

from population import CosinePopulation
from session import DecodingSession
from snn import SpikingDecoder


def main():
    torch.manual_seed(31)
    torch.set_num_threads(1)
    population = CosinePopulation(units=30, bins=16, directions=8, seed=32)
    net = SpikingDecoder(30, 40, 8)
    run = DecodingSession(net, population, lr=3e-3, batch=20)
    run.train(220)
    print(f"accuracy {run.evaluate(160):.3f}; "
          f"variability undefined in {len(run.skipped)} of {run.iteration} batches")


if __name__ == "__main__":
    main()
