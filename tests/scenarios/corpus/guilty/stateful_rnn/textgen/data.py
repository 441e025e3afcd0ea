import torch


def character_windows(text, vocab, length, batch):
    index = {c: i for i, c in enumerate(vocab)}
    ids = torch.tensor([index[c] for c in text])
    rows = ids[: len(ids) // batch * batch].view(batch, -1)
    for start in range(0, rows.shape[1] - length - 1, length):
        window = rows[:, start : start + length + 1]
        yield window[:, :-1], window[:, 1:]
