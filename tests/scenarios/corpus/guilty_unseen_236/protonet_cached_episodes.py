# gradwatch-corpus: kind=second-backward
# holder: self.protos | learner.protos
# first-bad: 13
"""Prototypical networks; support prototypes are refreshed every few queries to save time."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--way", type=int, default=5)
ap.add_argument("--shot", type=int, default=5)
ap.add_argument("--query", type=int, default=8)
ap.add_argument("--dim", type=int, default=32)
ap.add_argument("--feat", type=int, default=24)
ap.add_argument("--dense_until", type=int, default=12)
ap.add_argument("--refresh", type=int, default=4)
ap.add_argument("--iters", type=int, default=80)
ap.add_argument("--lr", type=float, default=1e-3)


class EpisodeMaker:
    def __init__(self, n_classes, feat):
        self.centres = 1.5 * torch.randn(n_classes, feat)
        self.mix = torch.randn(feat, feat) / feat ** 0.5
        self.classes = None

    def new_task(self, way):
        self.classes = torch.randperm(self.centres.size(0))[:way]

    def draw(self, per_class):
        mu = self.centres[self.classes].unsqueeze(1)
        x = mu + torch.randn(mu.size(0), per_class, mu.size(2))
        return torch.tanh(torch.einsum("wnf,fg->wng", x, self.mix))


class Embed(nn.Module):
    def __init__(self, feat, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(feat, 64),
            nn.LayerNorm(64),
            nn.GELU(),
            nn.Linear(64, dim),
        )
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return self.net(x)

    def logits(self, q, protos):
        d = (q.unsqueeze(1) - protos.unsqueeze(0)).square().sum(-1)
        return -self.scale * d / q.size(-1)


class FewShotLearner:
    def __init__(self, args):
        self.args = args
        self.embed = Embed(args.feat, args.dim)
        self.opt = torch.optim.Adam(self.embed.parameters(), lr=args.lr)
        self.maker = EpisodeMaker(40, args.feat)
        self.protos = None
        self.stats = {"loss": [], "acc": []}

    def interval(self, it):
        return 1 if it < self.args.dense_until else self.args.refresh

    def prototypes(self, it):
        if it % self.interval(it) == 0:  # <- culprit
            self.maker.new_task(self.args.way)
            support = self.maker.draw(self.args.shot)
            self.protos = self.embed(support).mean(dim=1)  # <- culprit
        return self.protos  # <- culprit

    def step(self, it):
        protos = self.prototypes(it)  # <- culprit
        query = self.maker.draw(self.args.query)
        y = torch.arange(self.args.way).repeat_interleave(self.args.query)
        q = self.embed(query.flatten(0, 1))
        logits = self.embed.logits(q, protos)
        loss = F.cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.stats["loss"].append(loss.item())
        self.stats["acc"].append((logits.argmax(-1) == y).float().mean().item())

    def report(self, it, k=10):
        means = {n: sum(v[-k:]) / len(v[-k:]) for n, v in self.stats.items()}
        print(f"episode {it:3d} loss {means['loss']:.3f} acc {means['acc']:.3f}")


def main():
    args = ap.parse_args([])
    torch.manual_seed(31)
    learner = FewShotLearner(args)
    for it in range(args.iters):
        learner.step(it)
        if (it + 1) % 10 == 0:
            learner.report(it + 1)


if __name__ == "__main__":
    main()
