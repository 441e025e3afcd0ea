# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(9)


def store_sales(days=1600, stores=5):
    t = torch.arange(days).float()
    base = torch.stack([torch.sin(2 * math.pi * (t + 2 * s) / 7) + 0.5 * torch.sin(2 * math.pi * t / 90) for s in range(stores)])
    return (base + 0.15 * torch.randn_like(base)).unsqueeze(-1)


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class SalesLSTM(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def init_state(self, batch):
        z = torch.zeros(1, batch, self.hidden)
        return z, z.clone()

    def forward(self, x, state):
        out, state = self.rnn(x, state)
        return self.head(out), state


class Trainer:
    def __init__(self, model, chunk=7, chunks_per_update=3, lr=4e-3):
        self.model = model
        self.chunk = chunk
        self.k = chunks_per_update
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.history = []

    def epoch(self, series):
        self.model.train()
        self.state = self.model.init_state(series.size(0))
        pending = 0.0
        steps = (series.size(1) - 1) // self.chunk
        for i in range(steps):
            s = i * self.chunk
            x, y = series[:, s:s + self.chunk], series[:, s + 1:s + self.chunk + 1]
            pred, self.state = self.model(x, self.state)
            pending = pending + nn.functional.mse_loss(pred, y)
            if (i + 1) % self.k == 0:
                self.opt.zero_grad()
                (pending / self.k).backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.history.append(pending.item() / self.k)
                self.state = repackage(self.state)
                pending = 0.0


def main():
    trainer = Trainer(SalesLSTM())
    series = store_sales()
    for epoch in range(2):
        trainer.epoch(series)
        print(epoch, sum(trainer.history[-20:]) / 20)


if __name__ == "__main__":
    main()
