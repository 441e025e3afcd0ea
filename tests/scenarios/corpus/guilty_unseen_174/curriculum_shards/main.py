# gradwatch-corpus: kind=graph-held
# holder: self.hardness | sampler.hardness | trainer.sampler.hardness | self.sampler.hardness
# first-bad: 1
"""Curriculum regression over a sharded corpus, shards ordered by how hard they turned out."""
import argparse

import torch
from torch import nn

from data import ShardedCorpus
from sampler import HardnessCurriculum


class Regressor(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, x):
        return self.net(x)[:, 0]


class CurriculumTrainer:
    def __init__(self, corpus, sampler, lr=2e-3):
        self.corpus = corpus
        self.sampler = sampler
        self.model = Regressor(corpus.dim)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.smoothed = None

    def step(self):
        shard = self.sampler.next_shard()
        x, y = self.corpus.load(shard)
        losses = nn.functional.smooth_l1_loss(self.model(x), y, reduction="none")
        loss = losses.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.feedback(shard, losses)  # <- culprit
        value = loss.item()
        self.smoothed = value if self.smoothed is None else 0.9 * self.smoothed + 0.1 * value
        return shard

    def run(self, steps):
        for i in range(steps):
            shard = self.step()
            if i % 100 == 0:
                print(f"{i:5d} shard {shard:5d} loss {self.smoothed:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--shards", type=int, default=5000)
    args = parser.parse_args()
    torch.manual_seed(4)
    corpus = ShardedCorpus(args.shards)
    CurriculumTrainer(corpus, HardnessCurriculum(args.shards, seed=4)).run(args.steps)


if __name__ == "__main__":
    main()
