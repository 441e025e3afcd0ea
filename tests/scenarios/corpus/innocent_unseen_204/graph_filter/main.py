# gradwatch-corpus: kind=none
import torch
from torch.nn import functional as F

from memo import Versioned
from nets import SpectralNet, community_graph


class NodeTask:
    def __init__(self, seed):
        torch.manual_seed(seed)
        adj, self.features, self.labels = community_graph(30, 3, seed)
        self.versions = Versioned()
        self.net = SpectralNet(adj, self.features.shape[1], 3, self.versions)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def loss(self):
        logits = self.net(self.features)
        mask = torch.rand(len(self.labels)) < 0.5
        mask[0] = True
        return F.cross_entropy(logits[mask], self.labels[mask]) + self.net.roughness()

    def step(self):
        loss = self.loss()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.versions.bump()
        return loss.item()


if __name__ == "__main__":
    task = NodeTask(seed=16)
    values = [task.step() for _ in range(420)]
    print(values[0], values[-1], task.net.operator.hits)
