# gradwatch-corpus: kind=crashed
# line: protonet_episodes.py:52: self.memo[ep.uid] = (sup.detach(), qry.detach())
# holder: self.memo | learner.memo
# first-bad: 25
# notice: 0
import random
from dataclasses import dataclass

import torch
torch.set_num_threads(1)
from torch import nn


@dataclass
class Episode:
    uid: int
    support: torch.Tensor
    query: torch.Tensor
    labels: torch.Tensor


def make_episodes(count, way=4, shot=3, q=5):
    eps = []
    for uid in range(count):
        mu = torch.randn(way, 1, 1, 10, 10)
        s = mu + 0.5 * torch.randn(way, shot, 1, 10, 10)
        t = mu + 0.5 * torch.randn(way, q, 1, 10, 10)
        eps.append(Episode(uid, s, t, torch.arange(way).repeat_interleave(q)))
    return eps


class Embedder(nn.Sequential):
    def __init__(self, ch=12):
        super().__init__(nn.Conv2d(1, ch, 3), nn.BatchNorm2d(ch), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(ch, ch, 3), nn.ReLU(), nn.Flatten())


class PrototypeLearner:
    def __init__(self, embed, lr=1e-3):
        self.embed = embed
        self.opt = torch.optim.Adam(embed.parameters(), lr=lr)
        self.memo = {}

    def features(self, ep):
        # raw pixels are heavy on the real data, so an episode goes through the convolutions once
        if ep.uid in self.memo:
            return self.memo[ep.uid]
        w, s = ep.support.shape[:2]
        pixels = torch.cat([ep.support.flatten(0, 1), ep.query.flatten(0, 1)])
        z = self.embed(pixels)
        sup, qry = z[: w * s].view(w, s, -1), z[w * s:]
        self.memo[ep.uid] = (sup.detach(), qry.detach())  # <- culprit
        return sup, qry

    def step(self, ep):
        sup, qry = self.features(ep)
        dist = torch.cdist(qry, sup.mean(1)).pow(2)
        logp = (-dist).log_softmax(-1)
        loss = nn.functional.nll_loss(logp, ep.labels)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), (logp.argmax(-1) == ep.labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(21)
    random.seed(21)
    episodes = make_episodes(25)
    learner = PrototypeLearner(Embedder())
    for sweep in range(12):
        random.shuffle(episodes)
        stats = [learner.step(ep) for ep in episodes]
        print(sweep, sum(s[1] for s in stats) / len(stats))
