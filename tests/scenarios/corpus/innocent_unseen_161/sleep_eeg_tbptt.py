# gradwatch-corpus: kind=none
"""Sleep staging from single-channel EEG features, recurrent state carried through the night."""
import numpy as np
import torch
from torch import nn


class Stager(nn.Module):
    def __init__(self, feats=8, hidden=24, stages=5):
        super().__init__()
        self.cell = nn.GRUCell(feats, hidden)
        self.out = nn.Linear(hidden, stages)
        self.state = None

    def forward(self, x):
        if self.state is None:
            self.state = x.new_zeros(x.shape[0], self.cell.hidden_size)
        self.state = self.cell(x, self.state)
        return self.out(self.state)

    def cut(self):
        self.state = self.state.detach()


def night(n_epochs, subjects, rng):
    stage = rng.integers(0, 5, size=subjects)
    means = np.linspace(-2, 2, 5)
    for _ in range(n_epochs):
        move = rng.random(subjects) < 0.1
        stage = np.where(move, rng.integers(0, 5, size=subjects), stage)
        x = means[stage][:, None] + rng.normal(size=(subjects, 8))
        yield torch.from_numpy(x.astype(np.float32)), torch.from_numpy(stage)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = Stager()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    crit = nn.CrossEntropyLoss()
    window, total, curve = 6, 0.0, []
    for t, (x, y) in enumerate(night(600, 12, rng), 1):
        total = total + crit(net(x), y)
        if t % window == 0:
            opt.zero_grad()
            (total / window).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            curve.append(float(total.detach()) / window)
            total = 0.0
            net.cut()
        if t % 150 == 0:
            print(f"epoch {t} nll {np.mean(curve[-20:]):.3f}")


if __name__ == "__main__":
    main()
