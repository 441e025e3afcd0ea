import torch
from torch import nn

from .carry import Carry


class PostureDecoder(nn.Module):
    def __init__(self, channels=16, width=48, joints=6, layers=1):
        super().__init__()
        self.front = nn.Sequential(nn.Linear(channels, width), nn.Tanh())
        self.rnn = nn.LSTM(width, width, layers)
        self.head = nn.Linear(width, joints)

    def start(self, rows):
        return Carry.fresh(self.rnn.num_layers, rows, self.rnn.hidden_size)

    def forward(self, emg, carry):
        seq, state = self.rnn(self.front(emg), carry.pair)
        return self.head(seq), Carry(*state)


class Recordings:
    """Recordings grow longer with the session; each is handed out in chunks of 12 samples."""

    def __init__(self, rows=16, channels=16, joints=6, chunk=12, short=96, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.rows, self.chunk, self.short = rows, chunk, short
        self.muscles = torch.randn(joints, channels, generator=self.g)
        self.joints = joints

    def chunks_for(self, session):
        return 1 if session < self.short else min(4, 2 + (session - self.short) // 30)

    def __iter__(self):
        session = 0
        while True:
            n = self.chunks_for(session)
            total = n * self.chunk
            speed = torch.rand(self.rows, self.joints, generator=self.g)
            t = torch.arange(total)[:, None, None] * 0.2
            pose = torch.sin(t * (0.5 + speed))
            emg = (pose @ self.muscles).abs() + 0.1 * torch.randn(total, self.rows, 16, generator=self.g)
            for k in range(n):
                part = slice(k * self.chunk, (k + 1) * self.chunk)
                yield k == 0, emg[part], pose[part]
            session += 1
