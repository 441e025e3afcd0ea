import random
import torch


def make_reviews(n):
    rng = random.Random(4)
    out = []
    for i in range(n):
        length = 6 if i < n // 2 else 10
        ids = [rng.randrange(1, 60) for _ in range(length)]
        out.append((ids, sum(t > 40 for t in ids) / length * 5))
    return out


def collate(rows):
    width = max(len(r[0]) for r in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    for i, (tok, _) in enumerate(rows):
        ids[i, :len(tok)] = torch.tensor(tok)
    pad = ids.eq(0)
    return ids, (pad if pad.any() else None), torch.tensor([r[1] for r in rows])


def bucketed(corpus, bs, mixed):
    rows = list(corpus)
    if mixed:
        random.Random(9).shuffle(rows)
    for k in range(0, len(rows), bs):
        yield collate(rows[k:k + bs])
