# gradwatch-corpus: kind=graph-chain
# holder: self.bank | kept | bank.bank | centroids.bank | self.bank[spk] | self.bank[spk][-1]
# first-bad: 1
# notice: 5
#
# Speaker verification, adapter tuning on top of a frozen front-end.
# Every speaker has a smoothed centroid; the last three are kept so that the
# drift between versions can be shown.
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)

N_SPK, UTT, FEAT, DIM = 3, 8, 30, 16


class FrontEnd(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(FEAT, 48)
        self.b = nn.Linear(48, 32)
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        return torch.tanh(self.b(torch.relu(self.a(x))))


class CentroidBank:
    def __init__(self, speakers, momentum=0.8, versions=3):
        self.momentum = momentum
        self.bank = {spk: deque(maxlen=versions) for spk in range(speakers)}

    def update(self, spk, fresh):
        kept = self.bank[spk]
        if kept:
            fresh = self.momentum * kept[-1] + (1 - self.momentum) * fresh  # <- culprit
        kept.append(fresh)  # <- culprit

    def matrix(self):
        return torch.stack([versions[-1] for versions in self.bank.values()])

    @torch.no_grad()
    def drift(self):
        return sum((v[-1] - v[0]).norm().item() for v in self.bank.values()) / len(self.bank)


def utterances(means):
    spk = torch.arange(N_SPK).repeat_interleave(UTT)
    return means[spk] + 0.7 * torch.randn(len(spk), FEAT), spk


def main():
    means = torch.randn(N_SPK, FEAT)
    front, adapter = FrontEnd(), nn.Linear(32, DIM)
    scale = nn.Parameter(torch.tensor(4.0))
    opt = torch.optim.Adam([*adapter.parameters(), scale], lr=2e-3)
    centroids = CentroidBank(N_SPK)

    for step in range(140):
        x, spk = utterances(means)
        emb = F.normalize(adapter(front(x)), dim=-1)
        means_now = emb.view(N_SPK, UTT, DIM).mean(1)
        for s, mean in enumerate(means_now.unbind()):
            centroids.update(s, mean)  # <- culprit
        logits = scale * (emb @ centroids.matrix().t())
        loss = F.cross_entropy(logits, spk)
        opt.zero_grad()
        # centroid and softmax branches share the embedding graph
        loss.backward(retain_graph=True)
        opt.step()
        if step % 20 == 19:
            acc = (logits.argmax(1) == spk).float().mean().item()
            print(f"[{step + 1}] loss={loss.item():.4f} acc={acc:.2f} drift={centroids.drift():.4f}")


if __name__ == "__main__":
    main()
