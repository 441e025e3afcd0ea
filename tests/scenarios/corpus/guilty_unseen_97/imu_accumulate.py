# gradwatch-corpus: kind=graph-chain
# holder: track | pose | fix | prev | prev.pose
# first-bad: 61
# notice: 5
"""Learned odometry correction: the pose is summed up along the drive, GPS fixes supervise it."""
from itertools import accumulate, islice
from typing import NamedTuple

import torch
from torch import nn

WARMUP = 60
DRIVE = 420


class Fix(NamedTuple):
    k: int
    pose: torch.Tensor
    gps: torch.Tensor
    origin: torch.Tensor


def imu_packets(gen):
    """(packet index, imu window, gps reading) for three vehicles."""
    true = torch.zeros(3, 2)
    mix = torch.randn(18, 2, generator=gen) * 0.05
    k = 0
    while True:
        window = torch.randn(3, 18, generator=gen)
        true = true + window @ mix
        gps = true + 0.02 * torch.randn(3, 2, generator=gen)
        yield k, window, gps
        k += 1


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(18)
    odo = nn.Linear(18, 2)
    nn.init.normal_(odo.weight, std=0.01)
    opt = torch.optim.SGD(odo.parameters(), lr=2e-4)

    def dead_reckon(prev, packet):
        k, window, gps = packet
        # first packets: start again from the satellite fix; afterwards drive on the estimate
        start = prev.gps if k <= WARMUP else prev.pose  # <- culprit
        pose = start + torch.tanh(odo(window))  # <- culprit
        return Fix(k, pose, gps, start)

    packets = imu_packets(gen)
    home = torch.zeros(3, 2)
    track = accumulate(packets, dead_reckon, initial=Fix(-1, home, home, home))
    next(track)

    window_err = []
    for fix in islice(track, DRIVE):
        loss = nn.functional.smooth_l1_loss(fix.pose, fix.gps)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=fix.k >= WARMUP)
        nn.utils.clip_grad_norm_(odo.parameters(), 5.0)
        opt.step()
        window_err.append(loss.item())
        if fix.k % 70 == 69:
            print(f"packet {fix.k + 1:4d}  err {sum(window_err) / len(window_err):.5f}")
            window_err.clear()


if __name__ == "__main__":
    main()
