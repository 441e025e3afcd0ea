# gradwatch-corpus: kind=none
# about: memory climbs by more than 1 MB per iteration for about 110 iterations (replay fills to its capacity, scene features are cached), then stays level
"""Grasp-value learning from depth pictures: off-policy, with a replay store and precomputed scene features."""
import argparse

import torch

from .arm import Bin
from .learner import GraspLearner
from .store import Replay, SceneFeatures


def parse():
    p = argparse.ArgumentParser("grasp_replay")
    p.add_argument("--rounds", type=int, default=340)
    p.add_argument("--capacity", type=int, default=110)
    p.add_argument("--scenes", type=int, default=70)
    p.add_argument("--seed", type=int, default=28)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    table = Bin(a.scenes, side=96, seed=a.seed)
    feats, replay = SceneFeatures(table), Replay(a.capacity, seed=a.seed)
    learner = GraspLearner(feats.dim)
    run = 0.0
    for r in range(a.rounds):
        scene = r % a.scenes
        pose = learner.pick(feats[scene], explore=max(0.05, 1 - r / 150))
        replay.add(scene, pose, table.attempt(scene, pose), table.snapshots(scene, pose))
        run += learner.fit(replay.draw(24), feats)
        if r % 68 == 67:
            print(f"round {r + 1} loss {run / 68:.4f} replay {len(replay)} ({replay.megabytes():.0f} MB) "
                  f"features {len(feats)} success {replay.success():.2f}")
            run = 0.0


main()
