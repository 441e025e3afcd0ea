# gradwatch-corpus: kind=memory-climb
# holder: self.inbox | preview.inbox | self.preview.inbox
"""Image denoiser; a preview thread writes contact sheets at its own slow pace."""
import os
import queue
import tempfile
import threading

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)


class PreviewWriter(threading.Thread):
    """Takes sheets from the inbox and keeps the newest one on disk."""

    def __init__(self, folder, every=1.5):
        super().__init__(daemon=True)
        self.folder = folder
        self.every = every
        self.inbox = queue.Queue()  # <- culprit
        self.closing = threading.Event()
        self.written = 0

    def submit(self, step, noisy, clean, guess):
        rows = [self._row(t) for t in (noisy, clean, guess)]
        self.inbox.put((step, np.concatenate(rows, axis=0)))  # <- culprit

    @staticmethod
    def _row(images):
        return np.concatenate(list(images.detach().squeeze(1).numpy()), axis=1)

    def run(self):
        while not self.closing.wait(self.every):
            try:
                step, sheet = self.inbox.get_nowait()
            except queue.Empty:
                continue
            grey = (np.clip(sheet, 0, 1) * 255).astype(np.uint8)
            np.save(os.path.join(self.folder, "sheet.npy"), grey)
            self.written += 1

    def close(self):
        self.closing.set()
        self.join()


class Denoiser(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 1, 3, padding=1))

    def forward(self, x):
        return x - self.net(x)


def shapes(batch, size, gen):
    axis = torch.linspace(-1, 1, size)
    centre = torch.rand(batch, 2, 1, 1, generator=gen) - 0.5
    radius = 0.2 + 0.3 * torch.rand(batch, 1, 1, generator=gen)
    dist = ((axis[None, :, None] - centre[:, 0]) ** 2
            + (axis[None, None, :] - centre[:, 1]) ** 2).sqrt()
    return (dist < radius).float().unsqueeze(1)


def psnr(a, b):
    return (-10 * torch.log10((a - b).pow(2).mean())).item()


def train(folder, steps=85):
    gen = torch.Generator().manual_seed(0)
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    preview = PreviewWriter(folder)
    preview.start()
    for step in range(steps):
        clean = shapes(12, 80, gen)
        noisy = clean + 0.3 * torch.randn(clean.shape, generator=gen)
        guess = net(noisy)
        loss = (guess - clean).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        preview.submit(step, noisy, clean, guess)
        if step % 20 == 0:
            print(f"step {step} l1 {loss.item():.4f} psnr {psnr(guess, clean):.2f}")
    preview.close()
    print("sheets written:", preview.written)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        train(folder)
