# gradwatch-corpus: kind=none
"""Decoder with appended KV caches, scheduled multi-token rollouts and samples."""
import torch

from .callbacks import Bulletin, SampleBook
from .model import CharDecoder
from .rollout import rollout_loss


def number_language(batch, length, gen):
    """Sequences a, a+d, a+2d ... modulo the vocabulary."""
    a = torch.randint(17, (batch, 1), generator=gen)
    d = torch.randint(1, 5, (batch, 1), generator=gen)
    return (a + d * torch.arange(length)) % 17


def main(steps=90, prompt=6):
    torch.manual_seed(23)
    gen = torch.Generator().manual_seed(24)
    model = CharDecoder(vocab=17, width=32, layers=2)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    callbacks = [Bulletin(every=20), SampleBook(every=30, prompt=prompt)]
    for step in range(steps):
        extra = 1 + step // 30
        ids = number_language(24, prompt + extra + 1, gen)
        loss, per_token = rollout_loss(model, ids, prompt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for cb in callbacks:
            cb(step, model, ids, per_token)


if __name__ == "__main__":
    main()
