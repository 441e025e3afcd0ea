# gradwatch-corpus: kind=none
import math
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class HiddenMemory:
    """the last `size` chunk states, oldest first"""

    def __init__(self, size):
        self.buffer = deque(maxlen=size)

    def push(self, h):
        self.buffer.append(h.detach())

    def read(self, current):
        return torch.stack(list(self.buffer) + [current], dim=1)

    def clear(self):
        self.buffer.clear()


class MemoryRNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, memory_size=32):
        super().__init__()
        self.gru = nn.GRU(n_in, n_hidden, batch_first=True)
        self.q = nn.Linear(n_hidden, n_hidden)
        self.k = nn.Linear(n_hidden, n_hidden)
        self.v = nn.Linear(n_hidden, n_hidden)
        self.out = nn.Linear(2 * n_hidden, n_out)
        self.memory = HiddenMemory(memory_size)
        self.hidden = None

    def reset(self):
        self.memory.clear()
        self.hidden = None

    def forward(self, x):
        seq, h = self.gru(x, self.hidden)
        self.hidden = h
        bank = self.memory.read(h[0])
        att = torch.einsum("bth,bmh->btm", self.q(seq), self.k(bank)) / math.sqrt(h.size(-1))
        context = torch.einsum("btm,bmh->bth", F.softmax(att, -1), self.v(bank))
        return self.out(torch.cat([seq, context], -1))

    def truncate(self):
        self.memory.push(self.hidden[0])
        self.hidden = self.hidden.detach()


def delayed_echo(n_batch, length, delay=40):
    x = torch.randn(n_batch, length, 3)
    y = torch.zeros(n_batch, length, 1)
    y[:, delay:, 0] = x[:, :-delay, 0] * 0.8 + x[:, delay:, 1] * 0.3
    return x, y


class Trainer:
    def __init__(self, model, k1=10, k2=3, lr=3e-3):
        self.model = model
        self.k1, self.k2 = k1, k2  # chunk length, chunks per update
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_history = []

    def train_sequence(self, x, y):
        self.model.reset()
        loss, pending = 0.0, 0
        total, count = torch.zeros(()), 0
        for xc, yc in zip(x.split(self.k1, 1), y.split(self.k1, 1)):
            loss = loss + F.mse_loss(self.model(xc), yc)
            pending += 1
            if pending == self.k2:
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                total += loss.detach()
                count += pending
                loss, pending = 0.0, 0
                self.model.truncate()
        self.loss_history.append(total / count)
        return self.loss_history[-1].item()

    @torch.no_grad()
    def test(self, x, y):
        self.model.eval()
        self.model.reset()
        errors = []
        for xc, yc in zip(x.split(self.k1, 1), y.split(self.k1, 1)):
            errors.append(F.mse_loss(self.model(xc), yc))
            self.model.truncate()
        self.model.train()
        return torch.stack(errors).mean().item()


def main():
    torch.manual_seed(0)
    model = MemoryRNN(3, 64, 1)
    trainer = Trainer(model)
    for n in range(25):
        loss = trainer.train_sequence(*delayed_echo(24, 300))
        if n % 5 == 4:
            print(f"sequence {n + 1}: train {loss:.4f} test {trainer.test(*delayed_echo(24, 300)):.4f}")
    print("best", torch.stack(trainer.loss_history).min().item())


if __name__ == "__main__":
    main()
