# gradwatch-corpus: kind=graph-held
# holder: self.entries | incidents.entries | self.incidents.entries | guard.incidents.entries | lab.guard.incidents.entries | self.guard.incidents.entries
# first-bad: 18
"""Learn the law of attraction from short clips of many-body motion.

Coarse strides are cheap and usually good enough; where a clip needs finer ones the guard steps down.
"""
import torch

from bodies import Orrery, PairForce, Scene
from guard import Guard, Incidents


class Laboratory:
    def __init__(self, seed=4, lr=4e-3):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.force = PairForce()
        self.orrery = Orrery(self.force)
        self.guard = Guard((0.15, 0.1, 0.05, 0.025), Incidents())
        self.opt = torch.optim.Adam(self.force.parameters(), lr=lr)

    def scenes(self, many):
        for i in range(many):
            yield Scene(self.gen, tight=float(i % 3 == 2))

    def miss(self, scene):
        place = self.guard.first_good(lambda stride: self.orrery.predict(scene, stride))
        return (place - scene.later).square().mean()

    def adjust(self, scene):
        self.opt.zero_grad()
        miss = self.miss(scene)
        miss.backward()
        torch.nn.utils.clip_grad_norm_(self.force.parameters(), 1.0)
        self.opt.step()
        return miss.item()


def main():
    lab = Laboratory()
    recent = []
    for i, scene in enumerate(lab.scenes(300)):
        recent = recent[-29:] + [lab.adjust(scene)]
        if i % 50 == 0:
            print(f"scene {i:3d}  miss {sum(recent) / len(recent):.5f}  turned down {len(lab.guard.incidents)}")
    print(*lab.guard.incidents.report(), sep="\n")


if __name__ == "__main__":
    main()
