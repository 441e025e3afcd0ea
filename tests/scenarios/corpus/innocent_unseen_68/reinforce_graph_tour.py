# gradwatch-corpus: kind=none
"""A message-passing policy learns short tours on random graphs; graphs grow as it improves."""
import random
import torch
from torch import nn
from torch.distributions import Categorical


class Layer(nn.Module):
    def __init__(s, d):
        super().__init__()
        s.msg, s.upd = nn.Linear(2 * d + 1, d), nn.GRUCell(d, d)

    def forward(s, h, dist):
        n, d = h.shape
        pair = torch.cat([h[:, None].expand(n, n, d), h[None].expand(n, n, d), dist[..., None]], -1)
        return s.upd(torch.relu(s.msg(pair)).mean(1), h)


class TourPolicy(nn.Module):
    def __init__(s, d=16, rounds=2):
        super().__init__()
        s.lift = nn.Linear(2, d)
        s.layers = nn.ModuleList(Layer(d) for _ in range(rounds))
        s.key, s.query, s.value = nn.Linear(d, d), nn.Linear(2 * d, d), nn.Linear(d, 1)
        s.h = None

    def encode(s, xy):
        dist = torch.cdist(xy, xy)
        h = s.lift(xy)
        for layer in s.layers:
            h = layer(h, dist)
        s.h = h
        return dist, s.value(h.mean(0)).squeeze(-1)

    def choose(s, here, start, mask):
        scores = s.key(s.h) @ s.query(torch.cat([s.h[here], s.h[start]])) / 4
        return Categorical(logits=scores.masked_fill(mask, -1e9))


class Episode:
    def __init__(self):
        self.logps, self.entropies, self.length, self.value = [], [], 0.0, None


def play(policy, xy):
    ep = Episode()
    dist, ep.value = policy.encode(xy)
    visited = torch.zeros(len(xy), dtype=torch.bool)
    here, start = 0, 0
    visited[0] = True
    for _ in range(len(xy) - 1):
        pi = policy.choose(here, start, visited.clone())
        nxt = pi.sample()
        ep.logps.append(pi.log_prob(nxt))
        ep.entropies.append(pi.entropy())
        ep.length += dist[here, nxt].item()
        here = nxt.item()
        visited[here] = True
    ep.length += dist[here, start].item()
    return ep


class Trainer:
    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.rng = random.Random(seed)
        self.policy = TourPolicy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=2e-3)
        self.episodes = []
        self.best = None
        self.spread = torch.ones(())
        self.nodes = 5.0

    def loss(self):
        pg = vf = ent = 0.0
        for ep in self.episodes:
            adv = (-ep.length - ep.value) / self.spread.clamp(min=0.1)
            pg = pg - adv.detach() * torch.stack(ep.logps).sum()
            vf = vf + (ep.length + ep.value).pow(2)
            ent = ent + torch.stack(ep.entropies).mean()
            err = (ep.length + ep.value).detach().abs()
            self.spread = 0.98 * self.spread + 0.02 * err
        n = len(self.episodes)
        return pg / n + 0.5 * vf / n - 0.01 * ent / n

    def iteration(self, batch=3):
        for _ in range(batch):
            self.episodes.append(play(self.policy, torch.rand(int(self.nodes), 2)))
        loss = self.loss()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        quality = sum(e.length / len(e.logps) for e in self.episodes) / batch
        champion = min(self.episodes, key=lambda e: e.length / len(e.logps))
        if self.best is None or champion.length / len(champion.logps) < self.best.length / len(self.best.logps):
            self.best = champion
        self.episodes = []
        return quality

    def curriculum(self, step=0.03):
        before, self.nodes = int(self.nodes), min(12.0, self.nodes + step)
        if int(self.nodes) != before:
            self.best = None


def main():
    torch.set_num_threads(1)
    trainer, avg = Trainer(), None
    for it in range(200):
        q = trainer.iteration()
        avg = q if avg is None else 0.95 * avg + 0.05 * q
        if it % 40 == 39:
            print(f"it {it + 1}: nodes {int(trainer.nodes)} length/leg {avg:.3f} best {trainer.best.length:.3f}")
        trainer.curriculum()


if __name__ == "__main__":
    main()
