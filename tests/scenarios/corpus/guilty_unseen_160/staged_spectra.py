# gradwatch-corpus: kind=memory-climb
# holder: self.stack | session.stack
"""Denoising of spectra; every batch is staged in scratch buffers owned by a session."""
from contextlib import ExitStack, contextmanager

import torch
from torch import nn

torch.manual_seed(21)
torch.set_num_threads(1)

BINS, BATCH, EPOCHS, PER_EPOCH = 256, 160, 5, 36


class Denoiser(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, channels, 5, padding=2), nn.GELU(),
            nn.Conv1d(channels, channels, 5, padding=2), nn.GELU(),
            nn.Conv1d(channels, 1, 5, padding=2),
        )

    def forward(self, x):
        return x - self.net(x)


class Scratch:
    """Two planes for one batch: the noisy one and the reference."""

    def __init__(self, clean, level):
        self.reference = clean
        self.noisy = clean + level * torch.randn_like(clean)
        self.open = True

    def close(self):
        self.open = False
        self.noisy = None
        self.reference = None


class Session:
    def __init__(self):
        self.stack = ExitStack()
        self.closed = 0

    def __enter__(self):
        self.stack.__enter__()
        return self

    def __exit__(self, *exc):
        return self.stack.__exit__(*exc)

    @contextmanager
    def scratch(self, clean, level):
        plane = Scratch(clean, level)
        try:
            yield plane
        finally:
            plane.close()
            self.closed += 1

    def stage(self, clean, level=0.2):
        return self.stack.enter_context(self.scratch(clean, level))  # <- culprit


def spectra(count):
    axis = torch.linspace(0, 1, BINS)
    for _ in range(count):
        centre = torch.rand(BATCH, 1, 1)
        width = 0.01 + 0.05 * torch.rand(BATCH, 1, 1)
        yield torch.exp(-((axis - centre) / width) ** 2)


def train_epoch(epoch, model, opt, session):
    total = 0.0
    for clean in spectra(PER_EPOCH):
        plane = session.stage(clean)  # <- culprit
        restored = model(plane.noisy)
        loss = nn.functional.mse_loss(restored, plane.reference)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch} mse {total / PER_EPOCH:.5f}")


def main():
    model = Denoiser()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    with Session() as session:
        for epoch in range(EPOCHS):
            train_epoch(epoch, model, opt, session)
    print("planes closed", session.closed)


if __name__ == "__main__":
    main()
