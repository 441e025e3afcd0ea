# gradwatch-corpus: kind=graph-chain
# holder: self.mem | net.hidden.mem | self.net.hidden.mem
# first-bad: 90
# notice: 5
"""Spiking network on event-camera-like gestures.

First 90 batches: independent clips. After that the stream is continuous, so
the membrane voltage is carried on from one chunk to the next.
"""
import torch

from events import GestureStream
from network import SpikingNet
from runner import Runner


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    stream = GestureStream(n_pixels=24, n_classes=4, batch=8, frames=4)
    net = SpikingNet(24, 20, 4)
    runner = Runner(net, lr=5e-3)

    runner.fit(stream, steps=90, continuous=False)
    print("clips done, acc", round(runner.accuracy(stream), 3))
    runner.fit(stream, steps=160, continuous=True)
    print("stream done, acc", round(runner.accuracy(stream), 3))


if __name__ == "__main__":
    main()
