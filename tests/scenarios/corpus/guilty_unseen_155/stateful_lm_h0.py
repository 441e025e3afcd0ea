# gradwatch-corpus: kind=second-backward
# holder: self.start | model.start
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)
torch.set_num_threads(1)

TEXT = "the cat sat on the mat and the dog sat on the log while the rain fell on the roof " * 12


class Corpus:
    def __init__(self, text, seq=16, batch=8):
        self.vocab = sorted(set(text))
        self.ids = torch.tensor([self.vocab.index(c) for c in text])
        self.seq, self.batch = seq, batch

    def __iter__(self):
        while True:
            i = torch.randint(0, len(self.ids) - self.seq - 1, (self.batch,))
            win = torch.stack([self.ids[j:j + self.seq + 1] for j in i.tolist()])
            yield win[:, :-1], win[:, 1:]


class StartState(nn.Module):
    """A learned first state for the recurrent layers."""

    def __init__(self, layers, hidden):
        super().__init__()
        self.code = nn.Parameter(torch.randn(layers, 8) * 0.1)
        self.proj = nn.Linear(8, hidden)

    def forward(self):
        return torch.tanh(self.proj(self.code))


class CharModel(nn.Module):
    def __init__(self, n_tok, hidden=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(n_tok, 16)
        self.start_net = StartState(layers, hidden)
        self.rnn = nn.GRU(16, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, n_tok)
        self.start = None

    def first_state(self, batch):
        if self.start is None:
            self.start = self.start_net()  # <- culprit
        return self.start.unsqueeze(1).expand(-1, batch, -1).contiguous()  # <- culprit

    def forward(self, x):
        y, _ = self.rnn(self.emb(x), self.first_state(x.size(0)))
        return self.out(y)


def train(steps=200):
    corpus = Corpus(TEXT)
    model = CharModel(len(corpus.vocab))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step, (x, y) in zip(range(steps), corpus):
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 50 == 0:
            print(step, round(loss.item(), 3))


if __name__ == "__main__":
    train()
