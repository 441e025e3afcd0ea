# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
from torch import nn

from .carry import CarryMixin
from .corpus import windows


class CharModel(CarryMixin, nn.Module):
    def __init__(self, vocab, dim=12, hidden=20):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.core = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, tokens):
        y, state = self.core(self.embed(tokens), self.carried())
        self.carry(state)
        return self.out(y)


def train(model, n_windows, lr=5e-3):
    opt = torch.optim.RMSprop(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for tokens, targets in windows(n_windows):
        opt.zero_grad()
        logits = model(tokens)
        loss = criterion(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        yield loss.item()


def main():
    torch.manual_seed(10)
    model = CharModel(vocab=9)
    for i, value in enumerate(train(model, 420)):
        if i % 60 == 0:
            print(i, round(value, 4))


if __name__ == "__main__":
    main()
