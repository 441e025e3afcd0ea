# gradwatch-corpus: kind=graph-chain
# holder: self.v | net.layer.v | model.lif.v | self.net.lif.v | self.lif.v | self.trace | net.lif.v
# first-bad: 1
"""Decoding cursor velocity from multi-unit recordings with a small spiking net. The recording is one
long stream per electrode session, so the membranes are carried from window to window."""
import torch

from neurons import CursorDecoder
from recording import windows
from train import Experiment

if __name__ == "__main__":
    torch.manual_seed(0)
    net = CursorDecoder(channels=30, neurons=40, streams=8)
    exp = Experiment(net, lr=1e-3, rate_target=0.15, homeostasis=0.1)
    for n, (counts, velocity) in enumerate(windows(seed=21, streams=8, channels=30, limit=220)):
        stats = exp.iterate(counts, velocity)
        if n % 55 == 54:
            print(f"window {n + 1:4d}  mse {stats.mse:.4f}  rate {stats.rate:.3f}  busiest unit {stats.busiest}")
