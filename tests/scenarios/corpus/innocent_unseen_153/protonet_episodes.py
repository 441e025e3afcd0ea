# gradwatch-corpus: kind=none
"""Prototypical networks, 5-way 3-shot episodes over synthetic classes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(39)


class EpisodeSampler:
    def __init__(self, n_classes, dim, way, shot, query, episodes):
        self.centers = torch.randn(n_classes, dim)
        self.scale = 0.3 + torch.rand(n_classes, 1)
        self.way, self.shot, self.query, self.episodes = way, shot, query, episodes

    def __len__(self):
        return self.episodes

    def __iter__(self):
        for _ in range(self.episodes):
            cls = torch.randperm(len(self.centers))[: self.way]
            n = self.shot + self.query
            x = self.centers[cls][:, None] + self.scale[cls][:, None] * torch.randn(self.way, n, self.centers.shape[1])
            yield x[:, : self.shot], x[:, self.shot:]


class ProtoNet(nn.Module):
    def __init__(self, dim, z=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, z))
        self.log_temp = nn.Parameter(torch.zeros(()))

    def forward(self, support, query):
        way, q = query.shape[:2]
        protos = self.encoder(support).mean(1)
        zq = self.encoder(query).flatten(0, 1)
        d = torch.cdist(zq, protos).pow(2) * self.log_temp.exp()
        y = torch.arange(way).repeat_interleave(q)
        loss = F.cross_entropy(-d, y)
        acc = (d.argmin(1) == y).float().mean()
        return loss, acc


class Averager:
    def __init__(self):
        self.n, self.v = 0, 0.0

    def add(self, x):
        self.v = (self.v * self.n + x) / (self.n + 1)
        self.n += 1

    def item(self):
        return self.v


net = ProtoNet(20)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
train = EpisodeSampler(40, 20, 5, 3, 8, 25)
val = EpisodeSampler(10, 20, 5, 3, 8, 10)
for epoch in range(5):
    tl, ta, va = Averager(), Averager(), Averager()
    net.train()
    for support, query in train:
        loss, acc = net(support, query)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tl.add(loss.item())
        ta.add(acc.item())
        loss = acc = None
    net.eval()
    with torch.no_grad():
        for support, query in val:
            va.add(net(support, query)[1].item())
    sched.step()
    print("epoch {}, loss={:.4f} acc={:.3f} val={:.3f}".format(epoch, tl.item(), ta.item(), va.item()))
