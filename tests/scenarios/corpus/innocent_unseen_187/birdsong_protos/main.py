# gradwatch-corpus: kind=none
import random

import torch
from torch import nn

from bank import PrototypeBank, SongEncoder

SPECIES = 6


def clips(n, gen):
    species = torch.cat([torch.arange(SPECIES), torch.randint(0, SPECIES, (n - SPECIES,), generator=gen)])
    t = torch.linspace(0, 3, 10)
    mel = torch.arange(16).float()
    centre = 2 + 2 * species[:, None].float() + torch.sin(t * (1 + species[:, None] % 3))
    x = torch.exp(-0.3 * (mel[None, None] - centre[..., None]).pow(2))
    return x + 0.3 * torch.randn(n, 10, 16, generator=gen), species


def session(encoder, bank, shots, gen):
    losses = []
    for _ in range(shots):
        support, s_lab = clips(12, gen)
        query, q_lab = clips(12, gen)
        bank.absorb(encoder(support), s_lab)
        logits, known = bank.logits(encoder(query))
        target = torch.tensor([known.index(s) for s in q_lab.tolist()])
        losses.append(nn.functional.cross_entropy(logits, target))
    return torch.stack(losses).mean()


def main():
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    rng = random.Random(9)
    encoder, bank = SongEncoder(), PrototypeBank()
    opt = torch.optim.Adam(encoder.parameters(), lr=3e-3)
    for it in range(400):
        loss = session(encoder, bank, rng.randint(1, 4), gen)
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank.release()
        if it % 80 == 0:
            spread = torch.pdist(torch.stack(list(bank.prototypes.values()))).mean()
            print(f"session {it} loss {loss.item():.4f} spread {spread.item():.3f}")


if __name__ == "__main__":
    main()
