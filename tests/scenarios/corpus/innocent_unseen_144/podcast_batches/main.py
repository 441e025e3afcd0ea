# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from torch import nn

from accumulate import Accumulator

torch.manual_seed(19)


class EpisodeTopic(nn.Module):
    def __init__(self, words=50, dim=12, topics=5):
        super().__init__()
        self.tok = nn.Embedding(words, dim)
        self.att = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.out = nn.Linear(dim, topics)

    def forward(self, w):
        x = self.tok(w)
        y, _ = self.att(x, x, x, need_weights=False)
        return self.out((x + y).mean(1))


def transcripts(n, rng):
    for _ in range(n):
        topic = torch.randint(0, 5, (3,), generator=rng)
        w = torch.randint(0, 50, (3, 8), generator=rng)
        w[:, ::2] = topic[:, None] * 10 + w[:, ::2] % 10
        yield w, topic


def main():
    rng = torch.Generator().manual_seed(2)
    net = EpisodeTopic()
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    acc = Accumulator(opt, n=4)
    for w, topic in transcripts(2400, rng):
        with acc.micro() as a:
            a.add(nn.functional.cross_entropy(net(w), topic))
    print("last", round(acc.last, 4))


if __name__ == "__main__":
    main()
