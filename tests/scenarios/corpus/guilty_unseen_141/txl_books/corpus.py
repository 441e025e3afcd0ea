import torch


def walk(vocab, batch, seg, n):
    pos = torch.randint(0, vocab, (batch,))
    for _ in range(n):
        toks = [pos]
        for _ in range(seg):
            pos = (pos + torch.randint(1, 3, (batch,))) % vocab
            toks.append(pos)
        t = torch.stack(toks, 1)
        yield t[:, :-1], t[:, 1:]
