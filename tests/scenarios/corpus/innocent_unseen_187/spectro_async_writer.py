# gradwatch-corpus: kind=none
import csv
import os
import queue
import tempfile
import threading

import torch
from torch import nn


class AsyncCsvWriter(threading.Thread):
    """Formats rows away from the training thread, in batches."""

    def __init__(self, path, flush_rows=20):
        super().__init__(daemon=True)
        self.path = path
        self.flush_rows = flush_rows
        self.inbox = queue.Queue(maxsize=40)
        self.rows_written = 0

    def submit(self, step, **tensors):
        self.inbox.put((step, tensors))

    def run(self):
        with open(self.path, "w", newline="") as fh:
            out = csv.writer(fh)
            block = []
            while True:
                item = self.inbox.get()
                if item is not None:
                    block.append(item)
                if item is None or len(block) >= self.flush_rows:
                    for step, tensors in block:
                        out.writerow([step] + [f"{k}={t.item():.6f}" for k, t in tensors.items()])
                    self.rows_written += len(block)
                    fh.flush()
                    block = []
                if item is None:
                    return
                del item

    def close(self):
        self.inbox.put(None)
        self.join()


class Unmixer(nn.Module):
    """Estimates non negative abundances of endmember spectra."""

    def __init__(self, bands=40, members=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bands, 32), nn.LeakyReLU(), nn.Linear(32, members))
        self.endmembers = nn.Parameter(torch.rand(members, bands))

    def forward(self, spectrum):
        abundance = self.net(spectrum).softmax(-1)
        return abundance @ self.endmembers.relu(), abundance


def library(bands=40, members=4):
    axis = torch.linspace(0, 1, bands)
    centres = torch.linspace(0.1, 0.9, members)
    return torch.exp(-40 * (axis[None] - centres[:, None]).pow(2)) + 0.1


def main():
    torch.manual_seed(27)
    lib = library()
    model = Unmixer()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    with tempfile.TemporaryDirectory() as tmp:
        writer = AsyncCsvWriter(os.path.join(tmp, "train.csv"))
        writer.start()
        for step in range(430):
            mix = torch.distributions.Dirichlet(torch.full((4,), 0.5)).sample((32,))
            spectra = mix @ lib + 0.01 * torch.randn(32, 40)
            recon, abundance = model(spectra)
            fit = nn.functional.mse_loss(recon, spectra)
            entropy = -(abundance * (abundance + 1e-8).log()).sum(-1).mean()
            loss = fit + 1e-3 * entropy
            opt.zero_grad()
            loss.backward()
            opt.step()
            writer.submit(step, loss=loss, fit=fit, entropy=entropy)
            if step % 100 == 0:
                print(f"step {step} fit {fit.item():.5f}")
        writer.close()
        print("rows", writer.rows_written)


if __name__ == "__main__":
    main()
