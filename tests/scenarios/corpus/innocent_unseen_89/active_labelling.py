# gradwatch-corpus: kind=none
"""Active learning on melt-pool signatures.

Rounds get longer while labels are being bought, until the budget is spent. Inside a round the meters add up; a round's
end prints them and starts new ones.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0
        self.weight = 0

    def add(self, value, n):
        self.total = self.total + value * n
        self.weight += n

    @property
    def mean(self):
        return float(torch.as_tensor(self.total).detach()) / max(self.weight, 1)


class MeltPools:
    def __init__(self, pool):
        self.x = torch.randn(pool, 8)
        z = self.x[:, 0] * self.x[:, 1] + 0.7 * self.x[:, 2]
        self.y = (z > 0).long()
        self.labelled = list(range(64))
        self.open = list(range(64, pool))

    def buy(self, chosen):
        taken = {self.open[i] for i in chosen}
        self.labelled += sorted(taken)
        self.open = [i for i in self.open if i not in taken]

    def batches(self, size):
        order = torch.tensor(self.labelled)[torch.randperm(len(self.labelled))]
        for part in order.split(size):
            yield self.x[part], self.y[part]


class PoolNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 32)
        self.b = nn.Linear(32, 32)
        self.c = nn.Linear(32, 2)

    def forward(self, x):
        h = F.relu(self.a(x))
        return self.c(F.relu(self.b(h)))


def margin(logits):
    top = logits.softmax(1).topk(2, 1).values
    return top[:, 0] - top[:, 1]


def main(rounds=17, budget=480, per_round=52, batch=16):
    torch.set_num_threads(1)
    torch.manual_seed(64)
    data = MeltPools(900)
    net = PoolNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    meters = {"loss": Meter(), "margin": Meter(), "penalty": Meter()}
    for rnd in range(rounds):
        for x, y in data.batches(batch):
            logits = net(x)
            penalty = sum(p.square().sum() for p in net.parameters() if p.dim() > 1)
            loss = F.cross_entropy(logits, y)
            opt.zero_grad()
            (loss + 1e-4 * penalty).backward()
            opt.step()
            meters["loss"].add(loss, len(x))
            meters["margin"].add(margin(logits).mean(), len(x))
            meters["penalty"].add(penalty, 1)
        shown = "  ".join(f"{k} {m.mean:.4f}" for k, m in meters.items())
        print(f"round {rnd + 1}: {len(data.labelled)} labels  {shown}")
        for m in meters.values():
            m.reset()
        room = min(per_round, budget - len(data.labelled))
        if room > 0:
            with torch.no_grad():
                unsure = margin(net(data.x[data.open])).argsort()[:room]
            data.buy(unsure.tolist())


if __name__ == "__main__":
    main()
