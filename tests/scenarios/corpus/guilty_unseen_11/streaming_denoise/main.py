# gradwatch-corpus: kind=graph-chain
# holder: self.state | session.state | self.session.state | state
# first-bad: 1
"""Streaming speech enhancement, toy size: a diagonal state-space layer that gets short blocks one after the other.
The session object mirrors what the device firmware does, block in and block out."""
import torch

from session import StreamSession
from signals import NoisyTones
from ssm import DiagonalSSM

BLOCKS = 240


def snr_db(clean, estimate):
    return 10 * torch.log10(clean.pow(2).mean() / (clean - estimate).pow(2).mean())


def train():
    torch.manual_seed(9)
    torch.set_num_threads(1)
    source = NoisyTones(channels=6, block=5, taps=16, seed=10)
    model = DiagonalSSM(taps=16, states=24)
    session = StreamSession(model, torch.optim.Adam(model.parameters(), lr=3e-3))
    for number, (noisy, clean) in zip(range(BLOCKS), source):
        loss, estimate = session.fit_block(noisy, clean)
        if number % 60 == 0:
            print(f"block {number:4d}  loss {loss:.4f}  snr {snr_db(clean, estimate).item():5.2f} dB")
    print(f"slowest pole {model.poles().max().item():.4f}")


if __name__ == "__main__":
    train()
