# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | prox.anchor
# first-bad: 1
# notice: 5
"""Fine-tuning with a proximal pull towards a slow average of the weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Proximal:
    """Penalty on the distance between the weights and their slow average."""

    def __init__(self, model, strength=0.05, tau=0.95):
        self.strength = strength
        self.tau = tau
        self.anchor = {name: p.detach().clone() for name, p in model.named_parameters()}

    def follow(self, model):
        for name, p in model.named_parameters():
            self.anchor[name] = torch.lerp(self.anchor[name], p, 1 - self.tau)  # <- culprit

    def __call__(self, model):
        total = 0.0
        for name, p in model.named_parameters():
            total = total + (p - self.anchor[name]).pow(2).sum()  # <- culprit
        return self.strength * total


class Ranker(nn.Module):
    def __init__(self, dim=30):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, 32), nn.ELU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.score(x).squeeze(-1)


def hinge(model, better, worse):
    return F.relu(0.5 - model(better) + model(worse)).mean()


def pairs(gen, w, n=48):
    a = torch.randn(n, 30, generator=gen)
    b = torch.randn(n, 30, generator=gen)
    swap = (a @ w) < (b @ w)
    better = torch.where(swap[:, None], b, a)
    worse = torch.where(swap[:, None], a, b)
    return better, worse


def accuracy(model, gen, w):
    with torch.no_grad():
        better, worse = pairs(gen, w, 200)
        return (model(better) > model(worse)).float().mean().item()


def main():
    torch.manual_seed(19)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(20)
    w = torch.randn(30, generator=gen)
    model = Ranker()
    prox = Proximal(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for it in range(100):
        better, worse = pairs(gen, w)
        loss = hinge(model, better, worse) + prox(model)
        opt.zero_grad()
        loss.backward()
        opt.step()
        prox.follow(model)
        if it % 20 == 0:
            print(f"{it:3d} loss {loss.item():.4f} pairs right {accuracy(model, gen, w):.3f}")


if __name__ == "__main__":
    main()
