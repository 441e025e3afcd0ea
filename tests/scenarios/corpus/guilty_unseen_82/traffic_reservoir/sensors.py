import math

import torch


class SensorStream:
    """Endless stream of [lanes, sensors] occupancy readings with the next `horizon` readings."""

    def __init__(self, n_sensors, n_lanes, period=48):
        self.period = period
        self.n = n_sensors
        self.lag = torch.arange(n_sensors).float() * 0.7
        self.lane_bias = 0.2 * torch.randn(n_lanes, 1)
        self.shock = torch.zeros(n_lanes, n_sensors)

    def at(self, t):
        daily = 0.5 - 0.4 * torch.cos(2 * math.pi * (t - self.lag) / self.period)
        return daily[None] + self.lane_bias

    def __iter__(self):
        t, buf = 0, []
        while True:
            self.shock = 0.85 * self.shock.roll(1, dims=1) + 0.05 * torch.randn_like(self.shock)
            buf.append(self.at(t) + self.shock)
            t += 1
            if len(buf) == 4:
                yield buf[0], torch.stack(buf[1:], -1)
                buf.pop(0)
