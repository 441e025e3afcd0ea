# gradwatch-corpus: kind=none
# Bayesian active learning (BALD, Gal et al.) on a toy regression-to-classes task.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(70)
torch.set_num_threads(1)


class DropoutNet(nn.Module):
    def __init__(self, d=4, h=48, c=3, p=0.3):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(d, h), nn.Linear(h, h), nn.Linear(h, c)
        self.p = p

    def forward(self, x):
        x = F.dropout(F.relu(self.l1(x)), self.p, training=True)
        x = F.dropout(F.relu(self.l2(x)), self.p, training=True)
        return self.l3(x)


class ALDataset:
    def __init__(self, n=500, d=4):
        self.x = torch.randn(n, d)
        s = self.x[:, 0] * self.x[:, 1] + 0.3 * self.x[:, 2]
        self.y = (s > 0.3).long() + (s > -0.3).long()
        order = torch.randperm(n).tolist()
        self.test, self.train, self.pool = order[:150], order[150:165], order[165:]

    def acquire(self, positions):
        chosen = [self.pool[p] for p in positions]
        self.train += chosen
        keep = set(chosen)
        self.pool = [i for i in self.pool if i not in keep]


def mc_predict(net, x, T=12):
    with torch.no_grad():
        return torch.stack([F.softmax(net(x), 1) for _ in range(T)])


def bald(probs):
    mean = probs.mean(0)
    H = -(mean * mean.clamp_min(1e-9).log()).sum(1)
    EH = -(probs * probs.clamp_min(1e-9).log()).sum(2).mean(0)
    return H - EH


def fit(data, epochs):
    net = DropoutNet()
    opt = torch.optim.Adam(net.parameters(), 5e-3, weight_decay=1e-4)
    idx = torch.tensor(data.train)
    for _ in range(epochs):
        for b in idx[torch.randperm(len(idx))].split(32):
            loss = F.cross_entropy(net(data.x[b]), data.y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return net, loss


data = ALDataset()
results = []
for rnd in range(7):
    net, loss = fit(data, 15)
    acc = (mc_predict(net, data.x[data.test]).mean(0).argmax(1) == data.y[data.test]).float().mean()
    results.append((len(data.train), acc.item(), float(loss)))
    scores = bald(mc_predict(net, data.x[data.pool]))
    data.acquire(scores.topk(12).indices.tolist())
for n, a, l in results:
    print(f"{n:4d} labels  acc {a:.3f}  last loss {l:.3f}")
