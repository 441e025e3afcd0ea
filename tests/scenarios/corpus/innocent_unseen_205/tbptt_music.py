# gradwatch-corpus: kind=none
"""Stateful LSTM over long melodies, hidden state carried between chunks."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict


class MelodyLSTM(nn.Module):
    def __init__(self, notes=24, emb=16, hidden=48, layers=2):
        super().__init__()
        self.emb = nn.Embedding(notes, emb)
        self.rnn = nn.LSTM(emb, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, notes)

    def forward(self, x, state=None):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


class MelodyCorpus:
    def __init__(self, streams=12, length=1200, seed=14):
        g = torch.Generator().manual_seed(seed)
        steps = torch.tensor([-4, -2, -1, 0, 1, 2, 4, 5])
        moves = steps[torch.randint(0, 8, (streams, length), generator=g)]
        moves[:, 3::4] = -moves[:, 2::4]
        self.data = torch.cumsum(moves, 1) % 24

    def chunks(self, bptt):
        for i in range(0, self.data.size(1) - bptt - 1, bptt):
            yield self.data[:, i:i + bptt], self.data[:, i + 1:i + 1 + bptt]


class Trainer:
    def __init__(self, bptt=8):
        self.model = MelodyLSTM()
        self.corpus = MelodyCorpus()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.bptt = bptt
        self.state = None
        self.prev_hidden = None
        self.history = defaultdict(list)

    def step(self, x, y):
        if self.state is not None:
            self.state = repackage(self.state)
        logits, self.state = self.model(x, self.state)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        slow = 0.0
        if self.prev_hidden is not None:
            slow = F.mse_loss(self.state[0], self.prev_hidden)
        total = loss + 0.01 * slow
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.prev_hidden = self.state[0].data
        self.history["loss"].append(loss.item())
        self.history["norm"].append(self.state[0].detach().norm())
        return loss

    def fit(self, epochs=4):
        for epoch in range(epochs):
            epoch_loss, n = 0, 0
            for x, y in self.corpus.chunks(self.bptt):
                loss = self.step(x, y)
                epoch_loss += loss.detach()
                n += 1
            self.state = self.prev_hidden = None
            print(f"epoch {epoch} nll {epoch_loss / n:.4f} |h| {torch.stack(self.history['norm'][-n:]).mean():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer().fit()
