import torch
from torch import nn


def phone_stream(steps, streams, chunk, bands, seed=61):
    gen = torch.Generator().manual_seed(seed)
    spectra = torch.randn(5, bands, generator=gen)
    for _ in range(steps):
        phones = torch.randint(5, (streams, chunk // 2), generator=gen).repeat_interleave(2, dim=1)
        yield spectra[phones] + 0.5 * torch.randn(streams, chunk, bands, generator=gen), phones


class StreamingEncoder(nn.Module):
    def __init__(self, bands, hidden, phones):
        super().__init__()
        self.rnn = nn.LSTM(bands, hidden, batch_first=True)
        self.out = nn.Linear(hidden, phones)
        self.carry = None

    def reset_streams(self, ended):
        keep = (~ended).float().view(1, -1, 1)
        self.carry = tuple(part * keep for part in self.carry)

    def forward(self, chunk):
        if self.carry is not None:
            self.carry = tuple(part.detach() for part in self.carry)
        hidden, self.carry = self.rnn(chunk, self.carry)
        return self.out(hidden)
