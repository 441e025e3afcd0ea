import torch


def sentences(seed, batch, length, vocab=40, tags=6):
    gen = torch.Generator().manual_seed(seed)
    trans = torch.rand(tags, tags, generator=gen).pow(3) + 0.01
    emit = torch.rand(tags, vocab, generator=gen).pow(6) + 1e-3
    while True:
        t = torch.randint(tags, (batch,), generator=gen)
        words, labels = [], []
        for _ in range(length):
            t = torch.multinomial(trans[t], 1, generator=gen).squeeze(1)
            w = torch.multinomial(emit[t], 1, generator=gen).squeeze(1)
            words.append(w)
            labels.append(t)
        yield torch.stack(words, 1), torch.stack(labels, 1)
