# gradwatch-corpus: kind=none
"""Stateful LSTM char model trained on windows of one long stream."""
import torch
from torch import nn


class CharLSTM(nn.Module):
    def __init__(self, vocab, emb=24, hid=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, num_layers=2, batch_first=True)
        self.out = nn.Linear(hid, vocab)

    def forward(self, x, state):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def repackage(s):
    if s is None:
        return None
    if isinstance(s, torch.Tensor):
        return s.detach()
    return tuple(repackage(v) for v in s)


class StatefulTrainer:
    def __init__(self, model, data, bptt=16):
        self.model, self.data, self.bptt = model, data, bptt
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.state = None
        self.running_loss = 0.0
        self.history = []

    def windows(self):
        for i in range(0, self.data.shape[1] - self.bptt - 1, self.bptt):
            yield self.data[:, i:i + self.bptt], self.data[:, i + 1:i + 1 + self.bptt]

    def train_window(self, x, y):
        logits, new_state = self.model(x, self.state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.opt.step()
        self.state = repackage(new_state)
        self.running_loss += loss.detach()
        return loss

    def fit(self, epochs):
        for ep in range(epochs):
            self.state, self.running_loss = None, 0.0
            n = 0
            for x, y in self.windows():
                self.history.append(self.train_window(x, y).item())
                n += 1
            print(f"epoch {ep} ppl {torch.exp(self.running_loss / n):.2f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    text = "the quick brown fox jumps over the lazy dog. pack my box with five dozen jugs. " * 110
    vocab = {c: i for i, c in enumerate(sorted(set(text)))}
    ids = torch.tensor([vocab[c] for c in text])
    data = ids[: len(ids) // 8 * 8].view(8, -1)
    StatefulTrainer(CharLSTM(len(vocab)), data).fit(2)
