# gradwatch-corpus: kind=graph-chain
# holder: self.state | sim.state | house.state | self.sim.state
# first-bad: 1
"""
Grey-box identification of a two-node RC house model from measured room
temperatures. Parameters are fitted online, one window of the log at a time.
"""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class FitConfig:
    dt: float = 0.25          # hours
    window: int = 7
    lr: float = 0.02
    n_windows: int = 62
    noise: float = 0.03
    seed: int = 11


def measured_log(cfg):
    """Simulate the 'true' house with numpy."""
    rng = np.random.default_rng(cfg.seed)
    n = cfg.window * cfg.n_windows
    t = np.arange(n) * cfg.dt
    outside = 5 + 6 * np.sin(2 * np.pi * t / 24) + rng.normal(0, 0.3, n)
    heater = (np.sin(2 * np.pi * t / 9) > 0).astype(float) * 2.0
    air, wall = 19.0, 15.0
    rec = np.zeros(n)
    for k in range(n):
        d_air = 0.55 * (wall - air) + 0.12 * (outside[k] - air) + 1.4 * heater[k]
        d_wall = 0.18 * (air - wall) + 0.05 * (outside[k] - wall)
        air, wall = air + cfg.dt * d_air, wall + cfg.dt * d_wall
        rec[k] = air
    return [torch.tensor(a, dtype=torch.float32) for a in
            (outside, heater, rec + rng.normal(0, cfg.noise, n))]


class HouseModel(nn.Module):
    NAMES = ("k_wall", "k_leak", "k_heat", "k_wall_air", "k_wall_out")

    def __init__(self, dt):
        super().__init__()
        self.dt = dt
        self.log_k = nn.Parameter(torch.log(torch.tensor([0.3, 0.2, 1.0, 0.1, 0.1])))
        self.reset()

    def reset(self, air=19.0, wall=15.0):
        self.state = (torch.tensor(air), torch.tensor(wall))

    def coefficients(self):
        return self.log_k.exp().unbind()

    def rollout(self, outside, heater):
        kw, kl, kh, kwa, kwo = self.coefficients()
        air, wall = self.state
        traj = []
        for t_out, q in zip(outside, heater):
            d_air = kw * (wall - air) + kl * (t_out - air) + kh * q
            d_wall = kwa * (air - wall) + kwo * (t_out - wall)
            air = air + self.dt * d_air
            wall = wall + self.dt * d_wall
            traj.append(air)
        self.state = (air, wall)  # <- culprit
        return torch.stack(traj)


class OnlineFitter:
    def __init__(self, sim, cfg):
        self.sim = sim
        self.cfg = cfg
        self.opt = torch.optim.Adam(sim.parameters(), lr=cfg.lr)

    def consume(self, outside, heater, y):
        y_hat = self.sim.rollout(outside, heater)
        loss = torch.mean((y_hat - y) ** 2)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return float(loss)


def main():
    cfg = FitConfig()
    torch.manual_seed(cfg.seed)
    outside, heater, y = measured_log(cfg)
    house = HouseModel(cfg.dt)
    fitter = OnlineFitter(house, cfg)
    for w in range(cfg.n_windows):
        sl = slice(w * cfg.window, (w + 1) * cfg.window)
        mse = fitter.consume(outside[sl], heater[sl], y[sl])
        if w % 10 == 0 or w == cfg.n_windows - 1:
            k = house.log_k.detach().exp().tolist()
            desc = " ".join(f"{n}={v:.3f}" for n, v in zip(house.NAMES, k))
            print(f"[{w:3d}] mse={mse:.4f} {desc}")


if __name__ == "__main__":
    main()
