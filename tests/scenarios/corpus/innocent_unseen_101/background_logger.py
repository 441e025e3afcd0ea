# gradwatch-corpus: kind=none
"""VAE on synthetic gene expression. A worker thread turns tensors into statistics."""
import queue
import threading

import torch
from torch import nn
from torch.nn import functional as F


class StatsWorker(threading.Thread):
    def __init__(self, chunk=20, maxsize=32):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=maxsize)
        self.chunk = chunk
        self.curve = []

    def submit(self, record):
        self.inbox.put(record)

    def close(self):
        self.inbox.put(None)
        self.join()

    def run(self):
        batch = []
        while (record := self.inbox.get()) is not None:
            batch.append(record)
            if len(batch) == self.chunk:
                self.curve.append(self.reduce(batch))
                batch = []
        if batch:
            self.curve.append(self.reduce(batch))

    @staticmethod
    def reduce(batch):
        with torch.no_grad():
            recon = torch.stack([r["recon"] for r in batch]).mean()
            kl = torch.stack([r["kl"] for r in batch]).mean(0)
        return {"recon": recon.item(), "kl": kl.sum().item(), "active": int((kl > 0.02).sum())}


class VAE(nn.Module):
    def __init__(self, genes, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(genes, 32), nn.ReLU(), nn.Linear(32, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, genes))

    def forward(self, x):
        mu, logvar = self.enc(torch.log1p(x)).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def expression(n, genes, programs, rates):
    usage = torch.distributions.Dirichlet(torch.full((programs,), 0.4)).sample((n,))
    return torch.poisson(usage @ rates)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(90)
    genes, programs = 40, 5
    rates = 6 * torch.rand(programs, genes).pow(3)
    model = VAE(genes, 6)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    worker = StatsWorker()
    worker.start()
    for step in range(480):
        x = expression(32, genes, programs, rates)
        log_rate, mu, logvar = model(x)
        recon = F.poisson_nll_loss(log_rate, x)
        kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).mean(0)
        beta = min(1.0, step / 200) * 0.05
        loss = recon + beta * kl.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        worker.submit({"step": step, "recon": recon, "kl": kl})
    worker.close()
    for i, point in enumerate(worker.curve):
        if i % 5 == 0:
            print(i, {k: round(v, 3) for k, v in point.items()})


if __name__ == "__main__":
    main()
