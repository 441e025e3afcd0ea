import torch


def segments(vocab, bs, seg, n):
    g = torch.Generator().manual_seed(9)
    table = torch.randint(0, vocab, (vocab, 3), generator=g)
    cur = torch.randint(0, vocab, (bs,), generator=g)
    rows = [cur]
    for _ in range(seg * n):
        cur = table[cur, torch.randint(0, 3, (bs,), generator=g)]
        rows.append(cur)
    ids = torch.stack(rows, 1)
    for i in range(n):
        s = i * seg
        yield ids[:, s:s + seg], ids[:, s + 1:s + seg + 1]
