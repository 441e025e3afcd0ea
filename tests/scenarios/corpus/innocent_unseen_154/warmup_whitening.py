# gradwatch-corpus: kind=none
"""Sparse autoencoder; the first batches are kept to estimate a whitening transform."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)


class Whitener(nn.Module):
    def __init__(self, dim, warmup=25, eps=1e-2):
        super().__init__()
        self.warmup, self.eps = warmup, eps
        self.stash = []
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("W", torch.eye(dim))
        self.ready = False

    def _fit(self):
        x = torch.cat(self.stash)
        self.mean = x.mean(0)
        cov = torch.cov(x.t())
        val, vec = torch.linalg.eigh(cov)
        self.W = vec @ torch.diag((val + self.eps).rsqrt()) @ vec.t()
        self.ready = True

    def forward(self, x):
        if self.training and not self.ready:
            self.stash.append(x)
            if len(self.stash) == self.warmup:
                self._fit()
        return (x - self.mean) @ self.W


class SparseAE(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.white = Whitener(dim)
        self.enc = nn.Linear(dim, hidden)
        self.dec = nn.Linear(hidden, dim, bias=False)
        self.dec.weight.data = F.normalize(self.dec.weight.data, dim=0)

    def forward(self, x):
        x = self.white(x)
        code = F.relu(self.enc(x - self.dec.weight.mean(1)))
        return self.dec(code), code, x


def sparse_data(dictionary, n):
    coef = torch.rand(n, len(dictionary)) * (torch.rand(n, len(dictionary)) < 0.1)
    return coef @ dictionary + 0.01 * torch.randn(n, dictionary.shape[1])


dictionary = F.normalize(torch.randn(40, 24), dim=1)
model = SparseAE(24, 64)
opt = torch.optim.Adam(model.parameters(), 2e-3)
mse_log, l0_log = [], []
for step in range(200):
    x = sparse_data(dictionary, 64)
    recon, code, target = model(x)
    mse = F.mse_loss(recon, target)
    loss = mse + 0.01 * code.abs().mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    with torch.no_grad():
        model.dec.weight.copy_(F.normalize(model.dec.weight, dim=0))
    mse_log.append(mse.item())
    l0_log.append((code > 0).float().sum(1).mean().item())
    if step % 50 == 49:
        print(f"step {step + 1} mse {sum(mse_log[-50:]) / 50:.4f} L0 {sum(l0_log[-50:]) / 50:.1f}")
