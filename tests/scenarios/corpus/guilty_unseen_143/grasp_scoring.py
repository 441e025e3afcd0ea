# gradwatch-corpus: kind=graph-held
# holder: bench.scorer.encoder._memo | self.scorer.encoder._memo | self.encoder._memo | self._memo
# first-bad: 1
# notice: 8
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)


class PoseEncoder(nn.Module):
    """Fourier features of a gripper pose, then a projection. One pose is asked for several times per trial."""

    def __init__(self, dim=12):
        super().__init__()
        self.proj = nn.Linear(16, dim)
        self._memo = {}

    def forward(self, pose):
        key = tuple(round(v, 5) for v in pose.tolist())
        if key not in self._memo:
            k = torch.tensor([1.0, 2.0]) * math.pi
            ph = pose[:, None] * k
            feats = torch.cat([ph.sin().flatten(), ph.cos().flatten()])
            self._memo[key] = torch.relu(self.proj(feats))  # <- culprit
        return self._memo[key]


class GraspScorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = PoseEncoder()
        self.stability = nn.Linear(12, 1)
        self.clearance = nn.Linear(12, 1)

    def forward(self, pose):
        return self.stability(self.encoder(pose)), self.clearance(self.encoder(pose))


class Bench:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.scorer = GraspScorer()
        self.optim = torch.optim.SGD(self.scorer.parameters(), lr=0.02)

    @staticmethod
    def simulate(pose):
        x, y, z, yaw = pose
        held = torch.exp(-(x * x + y * y)) * torch.cos(yaw)
        return held.reshape(1), (z - 0.3 * x).reshape(1)

    def trial(self):
        pose = torch.rand(4) * 2 - 1
        held, clear = self.simulate(pose)
        s, c = self.scorer(pose)
        cost = (s - held).square().sum() + 0.5 * (c - clear).square().sum()
        self.optim.zero_grad()
        cost.backward()
        self.optim.step()
        return cost.item()


def main():
    bench = Bench(seed=19)
    for block in range(10):
        costs = [bench.trial() for _ in range(50)]
        print(f"block {block}: {sum(costs) / len(costs):.3f}")


main()
