# gradwatch-corpus: kind=none
import torch
from torch import nn

from model import StatefulLM
from schedule import Window, WindowSchedule

torch.set_num_threads(1)
torch.manual_seed(171)


class Session:
    def __init__(self, model, schedule):
        self.model, self.schedule = model, schedule
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.pending, self.entropies = [], []
        self.updates, self.history = 0, {}

    def update(self, window):
        loss = torch.stack(self.pending).mean() - window.entropy * torch.stack(self.entropies).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.history.setdefault(window.name, []).append(loss.item())
        self.pending.clear()
        self.entropies.clear()
        self.updates += 1
        self.model.carry(fresh=window.forget)

    def consume(self, stream):
        window = self.schedule.at(self.updates)
        for now, nxt in zip(stream[:-1], stream[1:]):
            logits = self.model.advance(now)
            self.pending.append(nn.functional.cross_entropy(logits, nxt))
            logp = logits.log_softmax(-1)
            self.entropies.append(-(logp.exp() * logp).sum(-1).mean())
            if len(self.pending) == window.length:
                self.update(window)
                window = self.schedule.at(self.updates)
        if self.pending:
            self.update(window)
        self.model.carry(fresh=True)


def grammar(batch, length, vocab=8):
    s = torch.randint(vocab, (batch,))
    rows = [s]
    for t in range(length):
        s = torch.where(torch.rand(batch) < 0.9, (s * 3 + t % 2) % vocab, torch.randint(vocab, (batch,)))
        rows.append(s)
    return torch.stack(rows)


if __name__ == "__main__":
    schedule = WindowSchedule([Window("short", 30, 2, 0.0, True),
                               Window("carried", 80, 4, 0.01, False),
                               Window("long", 10 ** 6, 9, 0.01, False)])
    session = Session(StatefulLM(8, 20, batch=12), schedule)
    while session.updates < 120:
        session.consume(grammar(12, 64))
    for name, values in session.history.items():
        print(f"{name:8s} {len(values):3d} updates, loss {values[0]:.3f} -> {values[-1]:.3f}")
