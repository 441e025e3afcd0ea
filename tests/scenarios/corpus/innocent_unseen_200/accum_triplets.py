# gradwatch-corpus: kind=none
"""Speaker embeddings: the loss of six micro-batches is summed and stepped together."""
import torch
from torch import nn
import torch.nn.functional as F


class Voices:
    def __init__(self, speakers, dim, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.mean = torch.randn(speakers, dim, generator=self.g)
        self.speakers = speakers

    def utterances(self, ids, frames=6):
        m = self.mean[ids][:, None]
        return m + 0.8 * torch.randn(len(ids), frames, m.size(-1), generator=self.g)

    def triplets(self, n):
        a = torch.randint(0, self.speakers, (n,), generator=self.g)
        shift = torch.randint(1, self.speakers, (n,), generator=self.g)
        return self.utterances(a), self.utterances(a), self.utterances((a + shift) % self.speakers)


class Embedder(nn.Module):
    def __init__(self, dim, out=16):
        super().__init__()
        self.gru = nn.GRU(dim, 20, batch_first=True)
        self.proj = nn.Linear(20, out)

    def forward(self, x):
        h, _ = self.gru(x)
        return F.normalize(self.proj(h.mean(1)), dim=-1)


class Accumulator:
    """Micro-batch losses and embeddings."""

    def __init__(self, model, opt, every):
        self.model, self.opt, self.every = model, opt, every
        self.losses, self.anchors = [], []
        self.report = []

    def add(self, a, p, n):
        ea, ep, en = self.model(a), self.model(p), self.model(n)
        self.losses.append(F.triplet_margin_loss(ea, ep, en, margin=0.5))
        self.anchors.append(ea)
        if len(self.losses) == self.every:
            self.flush()

    def flush(self):
        triplet = torch.stack(self.losses).mean()
        center = torch.cat(self.anchors).mean(0).pow(2).sum()
        total = triplet + 0.1 * center
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.report.append((triplet.item(), center.item()))
        self.losses.clear()
        self.anchors.clear()


def main(micro=2520):
    torch.manual_seed(45)
    data = Voices(10, 8, 45)
    model = Embedder(8)
    acc = Accumulator(model, torch.optim.Adam(model.parameters(), lr=2e-3), every=6)
    for i in range(micro):
        acc.add(*data.triplets(6))
        if i % 360 == 359:
            t, c = acc.report[-1]
            print(f"update {len(acc.report)} triplet {t:.4f} center {c:.4f}")


if __name__ == "__main__":
    main()
