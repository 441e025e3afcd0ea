# gradwatch-corpus: kind=graph-chain
# holder: self.pose | integrator.pose | self.integrator.pose | trainer.integrator.pose
# first-bad: 1
# notice: 5
"""Online learning of a wheel-slip odometry head on top of a frozen sensor backbone."""
import torch

from odometry.settings import load_settings
from odometry.sim import Rover
from odometry.trainers import OdometryTrainer


def main():
    torch.set_num_threads(1)
    s = load_settings()
    torch.manual_seed(s.seed)
    rover = Rover(s.n_robots, s.n_sensors)
    trainer = OdometryTrainer(s)
    trainer.run(rover.drive(s.ticks))
    print("drift at end %.3f, mean of last 50 %.3f" % (trainer.drift[-1], sum(trainer.drift[-50:]) / 50))


if __name__ == "__main__":
    main()
