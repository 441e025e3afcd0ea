# gradwatch-corpus: kind=second-backward
# holder: self.carry | stream.carry | spotter.carry | h
# first-bad: 1
# notice: 0
"""Keyword spotting on an endless audio stream, chunk by chunk."""
import torch
from torch import nn

torch.set_num_threads(1)


class Spotter(nn.Module):
    def __init__(self, bands=10, hid=14):
        super().__init__()
        self.front = nn.Linear(bands, hid)
        self.rnn = nn.GRU(hid, hid, batch_first=True)
        self.out = nn.Linear(hid, 1)
        self.carry = None

    def forward(self, frames):
        z = torch.relu(self.front(frames))
        y, self.carry = self.rnn(z, self.carry)  # <- culprit
        return self.out(y).squeeze(-1)

    def forget(self):
        self.carry = None


class Mic:
    def __init__(self, lanes, bands, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.keyword = torch.randn(bands, generator=self.g)
        self.lanes, self.bands = lanes, bands

    def listen(self, chunks, length=8):
        for _ in range(chunks):
            frames = torch.randn(self.lanes, length, self.bands, generator=self.g)
            hot = (torch.rand(self.lanes, length, generator=self.g) < 0.25).float()
            yield frames + hot.unsqueeze(-1) * self.keyword, hot


def fit_stream(spotter, mic, sessions):
    opt = torch.optim.AdamW(spotter.parameters(), lr=2e-3)
    crit = nn.BCEWithLogitsLoss()
    for s in range(sessions):
        spotter.forget()
        for frames, hot in mic.listen(40):
            opt.zero_grad(set_to_none=True)
            loss = crit(spotter(frames), hot)
            loss.backward()
            nn.utils.clip_grad_norm_(spotter.parameters(), 1.0)
            opt.step()
        print("session", s, loss.item())


torch.manual_seed(70)
spotter = Spotter()
fit_stream(spotter, Mic(4, 10, 70), sessions=6)
