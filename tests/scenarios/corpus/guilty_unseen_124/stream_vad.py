# gradwatch-corpus: kind=second-backward
# holder: detector.carry | self.carry
# first-bad: 41
# notice: 0
"""Voice activity detection; frames come in chunks, long recordings only after a warm-up."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)


class Detector(nn.Module):
    def __init__(self, bands=12, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(bands, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.carry = None

    def forward(self, chunk, stateful):
        h0 = self.carry if stateful else None
        y, h = self.rnn(chunk, h0)
        self.carry = h if stateful else None  # <- culprit
        return self.out(y).squeeze(-1)


class Recorder:
    def __init__(self, streams=6):
        self.talk = torch.zeros(streams)

    def chunk(self, frames=10):
        xs, ys = [], []
        for _ in range(frames):
            toggle = torch.rand_like(self.talk) < 0.1
            self.talk = torch.where(toggle, 1 - self.talk, self.talk)
            xs.append(torch.randn(len(self.talk), 12) * (1 + self.talk[:, None]))
            ys.append(self.talk)
        return torch.stack(xs, 1), torch.stack(ys, 1)


def lesson(detector, opt, rec, stateful):
    x, y = rec.chunk()
    loss = nn.functional.binary_cross_entropy_with_logits(detector(x, stateful), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


detector = Detector()
opt = torch.optim.Adam(detector.parameters(), lr=5e-3)
rec = Recorder()
plan = [("warm-up", 40, False), ("long", 200, True)]
for stage, n, stateful in plan:
    for i in range(n):
        v = lesson(detector, opt, rec, stateful)
        if i % 20 == 0:
            print(stage, i, round(v, 4))
