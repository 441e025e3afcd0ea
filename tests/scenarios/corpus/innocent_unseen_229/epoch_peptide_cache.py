# gradwatch-corpus: kind=none
"""Peptide-MHC ranking: allele encodings are computed once per batch group, shared by its pairs, then dropped."""
import torch
from torch import nn
import torch.nn.functional as F

ALLELES = 12
AA = 20


class AlleleCache:
    def __init__(self, encoder, sequences):
        self.encoder = encoder
        self.sequences = sequences
        self.store = {}

    def get(self, allele):
        if allele not in self.store:
            self.store[allele] = self.encoder(self.sequences[allele].unsqueeze(0)).squeeze(0)
        return self.store[allele]

    def clear(self):
        self.store.clear()


class SeqEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(AA, dim)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        return torch.tanh(self.conv(h)).mean(dim=2)


def peptides(n, gen):
    return torch.randint(0, AA, (n, 9), generator=gen)


def binds(pep, allele, anchors):
    hit = anchors[allele][pep[:, 1]] + anchors[allele][pep[:, 8]]
    return (hit > 0).float()


def group_loss(cache, pep_enc, groups, anchors, gen):
    losses = []
    for allele in groups:
        pep = peptides(12, gen)
        target = binds(pep, allele, anchors)
        logits = pep_enc(pep) @ cache.get(allele) * 4
        losses.append(F.binary_cross_entropy_with_logits(logits, target))
    return torch.stack(losses).mean()


def main():
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    anchors = torch.randn(ALLELES, AA, generator=gen)
    sequences = torch.randint(0, AA, (ALLELES, 34), generator=gen)
    allele_enc = SeqEncoder()
    pep_enc = SeqEncoder()
    cache = AlleleCache(allele_enc, sequences)
    params = [*allele_enc.parameters(), *pep_enc.parameters()]
    opt = torch.optim.Adam(params, lr=5e-3)
    logged = []
    for it in range(90):
        groups = torch.randint(0, ALLELES, (6,), generator=gen).tolist()
        loss = group_loss(cache, pep_enc, groups, anchors, gen)
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.clear()
        logged.append(loss.detach())
        if len(logged) == 30:
            print(f"iter {it + 1} bce {torch.stack(logged).mean().item():.4f}")
            logged.clear()


if __name__ == "__main__":
    main()
