# gradwatch-corpus: kind=none
"""Phone labelling over long utterances, processed in chunks with a stateful LSTM."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class StatefulLSTM(nn.Module):
    def __init__(self, d_in, d_hidden, d_out):
        super().__init__()
        self.lstm = nn.LSTM(d_in, d_hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(d_hidden, d_out)
        self.state = None

    def new_utterances(self):
        self.state = None

    def forward(self, chunk):
        state = self.state
        if state is not None:
            state = tuple(s.detach() for s in state)
        hidden, self.state = self.lstm(chunk, state)
        return self.out(hidden)


class SmoothedLoss:
    def __init__(self, beta=0.95):
        self.beta, self.value, self.n = beta, 0.0, 0

    def update(self, loss):
        self.n += 1
        self.value = self.beta * self.value + (1 - self.beta) * loss.detach()
        return self

    def get(self):
        return float(self.value) / (1 - self.beta ** self.n)


def utterances(n, frames, d_in, phones, gen):
    dwell = torch.rand(n, frames, generator=gen) < 0.15
    seg = dwell.long().cumsum(1)
    codes = torch.randint(0, phones, (n, frames + 1), generator=gen)
    labels = codes.gather(1, seg)
    table = torch.randn(phones, d_in, generator=torch.Generator().manual_seed(0))
    return table[labels] + torch.randn(n, frames, d_in, generator=gen), labels


def chunks(x, y, size):
    for a, b in zip(x.split(size, dim=1), y.split(size, dim=1)):
        yield a, b


def train(passes=8, size=10, frames=120):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(3)
    model = StatefulLSTM(12, 32, 10)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    smooth = SmoothedLoss()
    history = []
    for n in range(passes):
        model.new_utterances()
        x, y = utterances(16, frames, 12, 10, gen)
        for xc, yc in chunks(x, y, size):
            logits = model(xc)
            loss = F.cross_entropy(logits.flatten(0, 1), yc.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            history.append(loss.item())
            smooth.update(loss)
        print(f"pass {n}: smoothed loss {smooth.get():.4f}, min {min(history):.4f}")


if __name__ == "__main__":
    train()
