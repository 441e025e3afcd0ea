# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | keeper.snapshots | callbacks[0].snapshots
# first-bad: 1
"""Active learning with margin sampling; keep the best model of every evaluation."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(14)
torch.set_num_threads(1)


class Pool:
    def __init__(self, n=800, d=30, c=5):
        W = torch.randn(d, c)
        self.x = torch.randn(n, d)
        self.y = (self.x @ W + 0.3 * torch.randn(n, c)).argmax(1)
        self.labelled = torch.zeros(n, dtype=torch.bool)
        self.labelled[torch.randperm(n)[:20]] = True
        self.xv = torch.randn(200, d)
        self.yv = (self.xv @ W).argmax(1)

    def train_batch(self, size):
        ids = self.labelled.nonzero().squeeze(1)
        ids = ids[torch.randint(0, len(ids), (size,))]
        return self.x[ids], self.y[ids]

    @torch.no_grad()
    def query(self, net, k):
        ids = (~self.labelled).nonzero().squeeze(1)
        top = net(self.x[ids]).softmax(1).topk(2, dim=1).values
        margin = top[:, 0] - top[:, 1]
        self.labelled[ids[margin.argsort()[:k]]] = True


class BestKeeper:
    def __init__(self):
        self.snapshots = []

    def on_step(self, step, net, pool):
        with torch.no_grad():
            acc = (net(pool.xv).argmax(1) == pool.yv).float().mean().item()
        self.snapshots.append((acc, step, copy.deepcopy(net.state_dict())))  # <- culprit

    def best(self):
        return max(self.snapshots, key=lambda s: s[:2])


class Printer:
    def on_step(self, step, net, pool):
        if step % 50 == 0:
            print("step", step, "labelled", int(pool.labelled.sum()))


def run(rounds=10, steps=25):
    pool = Pool()
    net = nn.Sequential(nn.Linear(30, 300), nn.ReLU(), nn.Linear(300, 300), nn.ReLU(), nn.Linear(300, 5))
    opt = torch.optim.Adam(net.parameters(), 5e-4)
    callbacks = [BestKeeper(), Printer()]
    step = 0
    for r in range(rounds):
        for _ in range(steps):
            x, y = pool.train_batch(32)
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            opt.step()
            for cb in callbacks:
                cb.on_step(step, net, pool)
            step += 1
        pool.query(net, 20)
    acc, at, state = callbacks[0].best()
    net.load_state_dict(state)
    print(f"restored step {at}, val acc {acc:.3f}")


if __name__ == "__main__":
    run()
