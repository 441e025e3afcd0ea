# gradwatch-corpus: kind=second-backward
# holder: z | nodes
# first-bad: 1
"""Link prediction on a random geometric graph with edge mini-batches."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def geometric_graph(n, radius, gen):
    pos = torch.rand(n, 2, generator=gen)
    near = torch.cdist(pos, pos) < radius
    near.fill_diagonal_(False)
    return pos, near.float()


class SageLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.own, self.nbr = nn.Linear(i, o), nn.Linear(i, o, bias=False)

    def forward(self, x, adj):
        return self.own(x) + self.nbr(adj @ x / adj.sum(1, keepdim=True).clamp_min(1))


class LinkModel(nn.Module):
    def __init__(self, f, width=16):
        super().__init__()
        self.l1, self.l2 = SageLayer(f, width), SageLayer(width, width)
        self.bilinear = nn.Parameter(torch.eye(width) + 0.01 * torch.randn(width, width))

    def encode(self, x, adj):
        return self.l2(F.elu(self.l1(x, adj)), adj)

    def score(self, z, pairs):
        a, b = z[pairs[:, 0]], z[pairs[:, 1]]
        return ((a @ self.bilinear) * b).sum(1)


class EdgeBatches:
    def __init__(self, adj, size, gen):
        self.pos = torch.nonzero(torch.triu(adj))
        self.n, self.size, self.gen = len(adj), size, gen

    def __iter__(self):
        for ids in torch.randperm(len(self.pos), generator=self.gen).split(self.size):
            pos = self.pos[ids]
            neg = torch.randint(0, self.n, pos.shape, generator=self.gen)
            labels = torch.cat([torch.ones(len(pos)), torch.zeros(len(neg))])
            yield torch.cat([pos, neg]), labels


def train_epoch(model, opt, x, adj, batches):
    total = seen = 0
    z = model.encode(x, adj)  # <- culprit
    for pairs, labels in batches:
        opt.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model.score(z, pairs), labels)
        loss.backward()  # <- culprit
        opt.step()
        total += loss.item() * len(labels)
        seen += len(labels)
    return total / seen


def main():
    gen = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    pos, adj = geometric_graph(150, 0.15, gen)
    x = torch.cat([pos, torch.randn(150, 4, generator=gen)], 1)
    model = LinkModel(x.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    batches = EdgeBatches(adj, 64, gen)
    print("edges", len(batches.pos))
    for epoch in range(20):
        print("epoch", epoch, "bce", round(train_epoch(model, opt, x, adj, batches), 4))


if __name__ == "__main__":
    main()
