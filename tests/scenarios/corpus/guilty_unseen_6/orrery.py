# gradwatch-corpus: kind=graph-chain
# holder: self.aboard | model.aboard | self.aboard[side] | model.aboard[side] | model.aboard["ship"] | model.aboard["port"]
# first-bad: 1
"""Next-port prediction on a stream of harbour calls. Every ship and every port carries a memory vector that
gathers what it met; scores come from the two memories and the time since the last call."""
import argparse
import random
from collections import namedtuple

import torch
from torch import nn
import torch.nn.functional as F

Calls = namedtuple("Calls", "ship port wrong gap")


def harbour_log(ships, ports, per_batch, batches, seed):
    rng = random.Random(seed)
    taste = [rng.sample(range(ports), 4) for _ in range(ships)]
    last = [0.0] * ships
    clock = 0.0
    for _ in range(batches):
        s, p, w, g = [], [], [], []
        for _ in range(per_batch):
            clock += rng.expovariate(10.0)
            who = rng.randrange(ships)
            s.append(who)
            p.append(rng.choice(taste[who]))
            w.append(rng.randrange(ports))
            g.append(clock - last[who])
            last[who] = clock
        yield Calls(torch.tensor(s), torch.tensor(p), torch.tensor(w), torch.tensor(g))


class MemoryNet(nn.Module):
    def __init__(self, ships, ports, dim):
        super().__init__()
        self.say = nn.ModuleDict({"ship": nn.Embedding(ships, dim), "port": nn.Embedding(ports, dim)})
        for table in self.say.values():
            nn.init.normal_(table.weight, std=0.1)
        self.aboard = {"ship": torch.zeros(ships, dim), "port": torch.zeros(ports, dim)}
        self.judge = nn.Sequential(nn.Linear(2 * dim + 1, 32), nn.ReLU(), nn.Linear(32, 1))

    def look(self, side, idx):
        return F.normalize(self.aboard[side][idx] + self.say[side](idx), dim=-1)

    def score(self, ship, port, gap):
        feats = torch.cat([self.look("ship", ship), self.look("port", port), gap.log1p()[:, None]], -1)
        return self.judge(feats).squeeze(-1)

    def meet(self, calls, keep):
        news = {"ship": (calls.ship, self.say["port"](calls.port)), "port": (calls.port, self.say["ship"](calls.ship))}
        for side, (idx, words) in news.items():
            self.aboard[side] = (self.aboard[side] * keep).index_add(0, idx, words)  # <- culprit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batches", type=int, default=320)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--keep", type=float, default=0.97)
    a = ap.parse_args()
    torch.manual_seed(3)
    model = MemoryNet(80, 25, a.dim)
    adam = torch.optim.Adam(model.parameters(), lr=5e-3)
    right = seen = 0
    for n, calls in enumerate(harbour_log(80, 25, 24, a.batches, seed=9)):
        good = model.score(calls.ship, calls.port, calls.gap)
        bad = model.score(calls.ship, calls.wrong, calls.gap)
        nll = F.softplus(-good).mean() + F.softplus(bad).mean()
        model.meet(calls, a.keep)
        adam.zero_grad(set_to_none=True)
        nll.backward(retain_graph=True)
        adam.step()
        right += int((good > bad).sum())
        seen += len(good)
        if n % 40 == 39:
            print(f"[{n + 1:4d}] nll {float(nll.detach()):.3f}  ranked right {right / seen:.3f}", flush=True)
            right = seen = 0


if __name__ == "__main__":
    main()
