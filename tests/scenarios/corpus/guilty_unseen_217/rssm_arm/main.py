# gradwatch-corpus: kind=second-backward
# holder: self.carry | self.carry.c | learner.carry | learner.carry.c
# first-bad: 1
import torch

from arm_sim import ArmRollouts
from dynamics import DynamicsModel
from learner import Learner, LearnerOptions


def main():
    opts = LearnerOptions()
    torch.manual_seed(opts.seed)
    sim = ArmRollouts(n_arms=opts.arms, joints=3)
    model = DynamicsModel(obs=6, act=3, width=32)
    learner = Learner(model, opts)
    for chunk in sim.chunks(opts.updates, opts.horizon):
        learner.update(chunk)
    print("final loss", learner.losses[-1])


if __name__ == "__main__":
    main()
