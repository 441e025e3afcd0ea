# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.manual_seed(40)
torch.set_num_threads(1)


class Tracker(nn.Module):
    """Follows a noisy signal one sample at a time."""

    def __init__(self, hidden=20):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.read = nn.Linear(hidden, 2)
        self.h = torch.zeros(1, hidden)

    def forward(self, x):
        self.h = self.cell(x, self.h)
        return self.read(self.h)

    def detach_(self):
        self.h = self.h.detach()


class WindowedTrainer:
    def __init__(self, model, k=6):
        self.model, self.k = model, k
        self.opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
        self.pending = 0.0
        self.n_pending = 0
        self.curve = []

    def observe(self, x, target):
        pred = self.model(x)
        self.pending = self.pending + (pred - target).pow(2).mean()
        self.n_pending += 1
        if self.n_pending == self.k:
            self.flush()
        return pred.detach()

    def flush(self):
        loss = self.pending / self.n_pending
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.model.detach_()
        self.pending, self.n_pending = 0.0, 0
        self.curve.append(loss.item())


def signal(n):
    phase = torch.zeros(1)
    for t in range(n):
        phase = phase + 0.15 + 0.02 * torch.randn(1)
        clean = torch.cat([phase.sin(), phase.cos()])[None]
        yield clean + 0.2 * torch.randn(1, 2), clean


def main():
    trainer = WindowedTrainer(Tracker())
    err = 0.0
    for t, (x, clean) in enumerate(signal(720)):
        est = trainer.observe(x, clean)
        err = 0.98 * err + 0.02 * (est - clean).norm()
        if t % 180 == 179:
            print(f"t={t} error={err:.3f} loss={trainer.curve[-1]:.4f}")


if __name__ == "__main__":
    main()
