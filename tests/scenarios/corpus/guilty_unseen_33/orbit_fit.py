# gradwatch-corpus: kind=graph-chain
# holder: pos | vel | flight | flight.gi_frame.f_locals["pos"] | flight.gi_frame.f_locals["vel"]
# first-bad: 1
"""Identify drag and gravity of a bouncing probe from a live telemetry feed."""
import torch
import torch.nn as nn


class ProbeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_drag = nn.Parameter(torch.tensor(-2.0))
        self.raw_g = nn.Parameter(torch.tensor(1.0))

    @property
    def drag(self):
        return self.raw_drag.sigmoid()

    @property
    def gravity(self):
        return self.raw_g.exp()

    def accel(self, vel):
        down = torch.tensor([0.0, -1.0])
        return down * self.gravity - self.drag * vel


def integrate(model, pos, vel, dt, substeps):
    for _ in range(substeps):
        vel = vel + dt * model.accel(vel)
        pos = pos + dt * vel
        floor = pos[..., 1:] < 0
        side = torch.cat([torch.ones_like(floor, dtype=pos.dtype), torch.where(floor, -0.8, 1.0)], -1)
        vel = vel * side
        pos = torch.cat([pos[..., :1], pos[..., 1:].abs()], -1)
    return pos, vel


def simulate(model, pos, vel, dt=0.02, substeps=3):
    """Endless generator of predicted positions, one per telemetry tick."""
    while True:
        pos, vel = integrate(model, pos, vel, dt, substeps)  # <- culprit
        yield pos


def telemetry(pos, vel, ticks, noise=0.01):
    truth = ProbeModel()
    with torch.no_grad():
        truth.raw_drag.fill_(-1.2)
        truth.raw_g.fill_(1.5)
        feed = simulate(truth, pos, vel)
        rows = [next(feed) for _ in range(ticks)]
    return torch.stack(rows) + noise * torch.randn(ticks, *pos.shape)


def main(ticks=66):
    torch.manual_seed(4)
    pos0 = torch.rand(5, 2) + 1.0
    vel0 = torch.randn(5, 2)
    readings = telemetry(pos0, vel0, ticks)

    model = ProbeModel()
    opt = torch.optim.RMSprop(model.parameters(), lr=4e-3)
    flight = simulate(model, pos0, vel0)
    for tick, observed in enumerate(readings):
        err = (next(flight) - observed).square().mean()
        opt.zero_grad()
        err.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        opt.step()
        if tick % 11 == 0:
            print(f"tick {tick:02d} err {err.item():.4f} drag {model.drag.item():.3f} g {model.gravity.item():.3f}")


if __name__ == "__main__":
    main()
