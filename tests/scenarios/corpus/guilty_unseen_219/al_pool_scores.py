# gradwatch-corpus: kind=graph-held
# holder: self.last_loss | pool.last_loss | sampler.last_loss
# first-bad: 1
# Active learning with loss-based acquisition: samples whose training loss stays high are revisited,
# unlabelled neighbours of those samples are queried next.
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(13)

N_POOL, DIM, CLASSES = 3000, 20, 5


def make_pool():
    centres = torch.randn(CLASSES, DIM) * 1.2
    y = torch.randint(0, CLASSES, (N_POOL,))
    x = centres[y] + torch.randn(N_POOL, DIM)
    return x, y


class Pool:
    def __init__(self, x, y, n_seed):
        self.x, self._y = x, y
        perm = torch.randperm(len(x))
        self.labelled = perm[:n_seed].tolist()
        self.unlabelled = set(perm[n_seed:].tolist())
        self.last_loss = {}

    def oracle(self, idx):
        return self._y[idx]

    def record(self, idx, losses):
        for i, value in zip(idx.tolist(), losses):
            self.last_loss[i] = value  # <- culprit

    def batch(self, n):
        pick = torch.randint(0, len(self.labelled), (n,))
        idx = torch.tensor([self.labelled[p] for p in pick.tolist()])
        return idx, self.x[idx], self.oracle(idx)

    def hardest(self, k):
        ranked = sorted(self.last_loss, key=lambda i: float(self.last_loss[i]), reverse=True)
        return ranked[:k]

    def query(self, n):
        anchors = self.x[self.hardest(8)]
        cand = torch.tensor(sorted(self.unlabelled))
        dist = torch.cdist(self.x[cand], anchors).min(1).values
        chosen = cand[dist.argsort()[:n]].tolist()
        self.labelled.extend(chosen)
        self.unlabelled.difference_update(chosen)
        return chosen


class MCDropoutNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(DIM, 96), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(96, 64), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(64, CLASSES),
        )

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    acc = (net(x).argmax(-1) == y).float().mean().item()
    net.train()
    return acc


def run():
    x, y = make_pool()
    test_x, test_y = x[-500:], y[-500:]
    pool = Pool(x[:-500], y[:-500], n_seed=300)
    net = MCDropoutNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    curve = []
    for cycle in range(6):
        for _ in range(20):
            idx, xb, yb = pool.batch(48)
            per_sample = F.cross_entropy(net(xb), yb, reduction="none", label_smoothing=0.05)
            loss = per_sample.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            pool.record(idx, per_sample)  # <- culprit
        acc = accuracy(net, test_x, test_y)
        new = pool.query(120)
        curve.append((len(pool.labelled), acc))
        print(f"cycle {cycle}: acc {acc:.3f}, +{len(new)} labels")
    return curve


if __name__ == "__main__":
    curve = run()
    print("labels used:", curve[-1][0])
