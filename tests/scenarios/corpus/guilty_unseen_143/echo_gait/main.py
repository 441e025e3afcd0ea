# gradwatch-corpus: kind=graph-chain
# holder: brain.x | self.x
# first-bad: 1
# notice: 5
"""Gait phase of a walking robot from IMU readings, online."""
import torch

torch.set_num_threads(1)

from imu import stream
from reservoir import Reservoir


def learn(brain, opt, reading, phase):
    out = brain(reading)
    miss = (out - phase).square().sum()
    opt.zero_grad()
    miss.backward(retain_graph=True)
    opt.step()
    return miss.item()


def main():
    torch.manual_seed(404)
    brain = Reservoir(n_in=6, n=20)
    opt = torch.optim.Adam([p for p in brain.parameters() if p.requires_grad], lr=2e-3)
    acc = []
    for t, (reading, phase) in enumerate(stream(260)):
        acc.append(learn(brain, opt, reading, phase))
        if len(acc) == 65:
            print(f"t={t:4d}  mean miss {sum(acc) / 65:.4f}")
            acc.clear()


main()
