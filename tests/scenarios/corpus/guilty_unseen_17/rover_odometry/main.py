# gradwatch-corpus: kind=inplace-modified
# first-bad: 46
"""Learns the slip of a skid-steer rover from pose tracks, through the odometry itself.
The horizon of the segments grows over training."""
import logging

import torch

from geometry import angle_error
from kinematics import DiffDrive, Pose, SlipModel
from sim import DriveLog

logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(message)s")
log = logging.getLogger("rover.slip")


class HorizonSchedule:
    def __init__(self, start, stop, every):
        self.start, self.stop, self.every = start, stop, every

    def __call__(self, it):
        return min(self.start + it // self.every, self.stop)


class SlipTrainer:
    def __init__(self, iterations=300, batch=24, lr=3e-3):
        self.iterations = iterations
        self.drive = DiffDrive()
        self.slip = SlipModel(terrain_dim=3)
        self.log = DriveLog(batch, seed=4)
        self.optimizer = torch.optim.Adam(self.slip.parameters(), lr=lr)
        self.horizon = HorizonSchedule(start=4, stop=20, every=6)

    def reference(self, wheels, grip):
        with torch.no_grad():
            start = Pose.origin(len(wheels))
            return list(self.drive.rollout(start, wheels * grip))

    def loss(self, track, reference):
        total = 0.0
        for ours, truth in zip(track, reference):
            miss = (ours.position - truth.position).pow(2).sum(-1).mean()
            turn = angle_error(ours.heading, truth.heading).mean()
            total = total + miss + 0.5 * turn
        return total / len(reference)

    def iterate(self, it):
        wheels, terrain, grip = self.log.segment(self.horizon(it))
        reference = self.reference(wheels, grip)
        track = self.drive.rollout(Pose.origin(len(wheels)), wheels, self.slip, terrain)
        loss = self.loss(track, reference)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.slip.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def run(self):
        for it in range(self.iterations):
            value = self.iterate(it)
            if it % 20 == 0:
                log.info("it %d horizon %d loss %.5f", it, self.horizon(it), value)


if __name__ == "__main__":
    torch.manual_seed(0)
    SlipTrainer().run()
