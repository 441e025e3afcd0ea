import torch


class Windows:
    def __init__(self, text, rows, span):
        vocab = sorted(set(text))
        self.n_chars = len(vocab)
        ids = torch.tensor([vocab.index(c) for c in text])
        per = len(ids) // rows
        self.grid = ids[: per * rows].view(rows, per)
        self.rows, self.span = rows, span

    def __iter__(self):
        for s in range(0, self.grid.shape[1] - self.span - 1, self.span):
            yield self.grid[:, s: s + self.span], self.grid[:, s + 1: s + 1 + self.span]
