import torch


class Corpus:
    """Endless Markov chorales, `voices` of them side by side."""

    n_chords = 12

    def __init__(self, voices, length, seed):
        g = torch.Generator().manual_seed(seed)
        logits = 2.5 * torch.randn(self.n_chords, self.n_chords, generator=g)
        table = logits.softmax(1)
        x = torch.randint(0, self.n_chords, (voices,), generator=g)
        cols = [x]
        for _ in range(length):
            x = torch.multinomial(table[x], 1, generator=g).squeeze(1)
            cols.append(x)
        self.stream = torch.stack(cols)

    def __iter__(self):
        return iter(zip(self.stream[:-1], self.stream[1:]))
