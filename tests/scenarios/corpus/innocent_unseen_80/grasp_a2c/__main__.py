# gradwatch-corpus: kind=none
"""Composition root: python -m grasp_a2c"""
import torch

from .agent import ActorCritic, Learner
from .cell import GraspCell
from .episodes import EpisodeRunner, Journal

torch.set_num_threads(1)

def main():
    torch.manual_seed(21)
    net = ActorCritic()
    journal = Journal(capacity=50)
    runner = EpisodeRunner(cell=GraspCell(seed=5), policy=net, journal=journal)
    learner = Learner(net)
    for k in range(220):
        episode = runner.run(limit=4 + k // 40)
        stats = learner.learn(episode)
        if k % 40 == 0:
            print(f"episode {k:3d} {stats} return {journal.mean_return():.3f} slips {journal.slips}")

if __name__ == "__main__":
    main()
