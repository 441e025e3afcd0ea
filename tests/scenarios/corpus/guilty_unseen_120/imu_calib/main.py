# gradwatch-corpus: kind=graph-chain
# holder: self.heading | rover.heading | fleet.heading
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(5)

from odometry import DeadReckoner
from sim import Yard

HZ = 20


def compass_loss(est, measured):
    err = est - measured
    return torch.nn.functional.smooth_l1_loss(err, torch.zeros_like(err))


def calibrate(fleet, yard, ticks):
    opt = torch.optim.Adam(fleet.parameters(), lr=1e-4)
    for tick in range(ticks):
        gyro, wheel, compass, moved = yard.tick()
        step = fleet(gyro, wheel)
        loss = compass_loss(fleet.heading, compass) + 0.5 * (step - moved).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(fleet.parameters(), 1.0)
        opt.step()
        if tick % 100 == 99:
            off = (fleet.drift.detach() - yard.true_drift).abs().mean().item()
            print(f"t={tick / HZ:5.1f}s loss {loss.item():.5f} mean drift error {off:.5f} rad/tick")


if __name__ == "__main__":
    yard = Yard(robots=6, hz=HZ)
    fleet = DeadReckoner(robots=6, hz=HZ)
    calibrate(fleet, yard, ticks=400)
