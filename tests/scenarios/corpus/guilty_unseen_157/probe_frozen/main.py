# gradwatch-corpus: kind=graph-chain
# holder: sampler.priorities | self.priorities | sampler
"""Linear probe on frozen speech features with loss-prioritised sampling."""
import torch
from torch import nn

from features import FrozenFeatures
from priority import PrioritySampler

torch.set_num_threads(1)
torch.manual_seed(8)


class LinearProbe(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.affine = nn.Linear(dim, classes)
        nn.init.zeros_(self.affine.bias)

    def forward(self, feats):
        return self.affine(feats)


class ProbeRun:
    def __init__(self, store, sampler, classes):
        self.store, self.sampler = store, sampler
        self.probe = LinearProbe(store.dim, classes)
        self.optimizer = torch.optim.Adam(self.probe.parameters(), lr=0.02, weight_decay=1e-4)

    def step(self):
        index, correction = self.sampler.draw()
        feats, labels = self.store[index]
        losses = nn.functional.cross_entropy(self.probe(feats), labels, reduction="none")
        loss = (correction * losses).mean()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.sampler.update(index, losses)  # <- culprit
        return loss.item()

    @torch.no_grad()
    def accuracy(self):
        feats, labels = self.store[torch.arange(len(self.store))]
        return (self.probe(feats).argmax(1) == labels).float().mean().item()


def main():
    store = FrozenFeatures(n=96, dim=20, classes=5)
    run = ProbeRun(store, PrioritySampler(len(store), batch=12), classes=5)
    for it in range(80):
        value = run.step()
        if it % 20 == 19:
            print(f"it {it + 1:3d} weighted ce {value:.4f} accuracy {run.accuracy():.3f}")


if __name__ == "__main__":
    main()
