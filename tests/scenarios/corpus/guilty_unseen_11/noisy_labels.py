# gradwatch-corpus: kind=graph-held
# holder: p.grad | param.grad | learner.parameters() | learner | eps.grad | eps | learner.weight.grad
# first-bad: 1
"""Learning to reweight examples for crowd-labelled leaf diseases: 35 % of the labels are wrong.

After Ren et al. 2018; a clean set of 40 leaves says which examples of a batch are worth learning from.
"""
import copy
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

CLASSES, FEATURES = 5, 24


class Leaves:
    def __init__(self, seed, noise):
        self.gen = torch.Generator().manual_seed(seed)
        self.centres = 1.4 * torch.randn(CLASSES, FEATURES, generator=torch.Generator().manual_seed(3))
        self.noise = noise

    def draw(self, n):
        true = torch.randint(0, CLASSES, (n,), generator=self.gen)
        feats = self.centres[true] + torch.randn(n, FEATURES, generator=self.gen)
        wrong = torch.rand(n, generator=self.gen) < self.noise
        other = torch.randint(0, CLASSES, (n,), generator=self.gen)
        return feats, torch.where(wrong, other, true), wrong


def build_net():
    return nn.Sequential(
        nn.Linear(FEATURES, 32), nn.Tanh(),
        nn.Linear(32, 32), nn.Tanh(),
        nn.Linear(32, CLASSES),
    )


class Reweighter:
    """Gives every example of a batch a weight by one look-ahead step on a copy of the network."""

    def __init__(self, net, clean, step_size=0.1):
        self.net = net
        self.clean = clean
        self.step_size = step_size

    def _look_ahead(self, feats, labels, eps):
        learner = copy.deepcopy(self.net)
        costs = F.cross_entropy(learner(feats), labels, reduction="none")
        (costs * eps).sum().backward(create_graph=True)  # <- culprit
        moved = {}
        for name, param in learner.named_parameters():
            moved[name] = param - self.step_size * param.grad
        return learner, moved

    def __call__(self, feats, labels):
        eps = torch.zeros(len(labels), requires_grad=True)
        learner, moved = self._look_ahead(feats, labels, eps)
        clean_feats, clean_labels, _ = self.clean
        meta = F.cross_entropy(functional_call(learner, moved, (clean_feats,)), clean_labels)
        grad, = torch.autograd.grad(meta, eps)
        weight = torch.clamp(-grad, min=0)
        total = weight.sum()
        return weight / total if total > 0 else weight


def accuracy(net, leaves, n=400):
    net.eval()
    with torch.no_grad():
        feats, labels, _ = leaves.draw(n)
        right = (net(feats).argmax(1) == labels).float().mean().item()
    net.train()
    return right


def main():
    warnings.filterwarnings("ignore", category=UserWarning)
    torch.manual_seed(7)
    noisy, tidy = Leaves(seed=1, noise=0.35), Leaves(seed=2, noise=0.0)
    net = build_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    reweight = Reweighter(net, tidy.draw(40))

    share_wrong = 0.0
    for step in range(1, 301):
        feats, labels, wrong = noisy.draw(48)
        weight = reweight(feats, labels)
        loss = (F.cross_entropy(net(feats), labels, reduction="none") * weight).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        share_wrong += weight[wrong].sum().item()
        if step % 60 == 0:
            print(f"{step:4d}  loss {loss.item():.4f}  weight on wrong labels {share_wrong / 60:.3f}"
                  f"  accuracy {accuracy(net, tidy):.3f}")
            share_wrong = 0.0


if __name__ == "__main__":
    main()
