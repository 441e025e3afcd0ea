# gradwatch-corpus: kind=none
"""Few-shot syllable recognition: second-order MAML with learned inner rates."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

AVIARY = {"bins": 20, "ways": 4, "shots": 5, "probes": 8, "inner": 3, "birds": 3, "seasons": 60}


class Bird:
    """One individual, with its own dialect."""

    def __init__(self, bins, ways):
        self.syllables = torch.randn(ways, bins)
        self.ways = ways

    def sing(self, each):
        label = torch.arange(self.ways).repeat_interleave(each)
        return self.syllables[label] + 0.6 * torch.randn(label.numel(), self.syllables.shape[1]), label


class SyllableNet(nn.Module):
    def __init__(self, bins, ways):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bins, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh())
        self.head = nn.Linear(40, ways)

    def forward(self, sound):
        return self.head(self.body(sound))


class InnerLoop:
    def __init__(self, net, start):
        self.net = net
        self.rates = nn.ParameterDict()
        for name, _ in net.named_parameters():
            self.rates[name.replace(".", "/")] = nn.Parameter(torch.tensor(float(start)))

    def adapt(self, sound, label, steps):
        fast = dict(self.net.named_parameters())
        for _ in range(steps):
            loss = F.cross_entropy(functional_call(self.net, fast, (sound,)), label)
            slopes = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            adapted = {}
            for (name, weight), slope in zip(fast.items(), slopes):
                adapted[name] = weight - self.rates[name.replace(".", "/")] * slope
            fast = adapted
        return fast


def main():
    torch.manual_seed(15)
    net = SyllableNet(AVIARY["bins"], AVIARY["ways"])
    inner = InnerLoop(net, 0.15)
    meta = torch.optim.Adam([*net.parameters(), *inner.rates.parameters()], lr=2e-3)
    curve = []
    for season in range(AVIARY["seasons"]):
        meta.zero_grad()
        season_loss = 0.0
        for _ in range(AVIARY["birds"]):
            bird = Bird(AVIARY["bins"], AVIARY["ways"])
            sound, label = bird.sing(AVIARY["shots"])
            fast = inner.adapt(sound, label, AVIARY["inner"])
            probe, probe_label = bird.sing(AVIARY["probes"])
            loss = F.cross_entropy(functional_call(net, fast, (probe,)), probe_label) / AVIARY["birds"]
            loss.backward()
            season_loss += loss.item()
        meta.step()
        curve.append(season_loss)
        if season % 12 == 0:
            print(f"season {season} query loss {season_loss:.4f}")
    print("last ten", sum(curve[-10:]) / 10)


if __name__ == "__main__":
    main()
