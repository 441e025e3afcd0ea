# gradwatch-corpus: kind=inplace-modified
# holder: self.codebook | model.vq.codebook
# first-bad: 8
import torch
import torch.nn as nn
import torch.nn.functional as F


class SoftVQ(nn.Module):
    def __init__(self, K, D, decay=0.95, tau=0.5, warmup=8):
        super().__init__()
        self.K = K
        self.decay = decay
        self.tau = tau
        self.warmup = warmup
        self.calls = 0
        self.register_buffer("codebook", torch.randn(K, D) * 0.5)
        self.register_buffer("N", torch.ones(K))
        self.register_buffer("m", self.codebook.clone())

    def distances(self, z_e):
        zz = z_e.pow(2).sum(1, keepdim=True)
        ee = self.codebook.pow(2).sum(1)
        return zz - 2 * z_e @ self.codebook.t() + ee

    @torch.no_grad()
    def ema_update(self, z_e, assign):
        n = assign.sum(0)
        self.N.mul_(self.decay).add_(n, alpha=1 - self.decay)
        self.m.mul_(self.decay).add_(assign.t() @ z_e, alpha=1 - self.decay)
        self.codebook.copy_(self.m / self.N.clamp(min=1e-3).unsqueeze(1))  # <- culprit

    def forward(self, z_e):
        d = self.distances(z_e)
        assign = F.softmax(-d / self.tau, dim=1)
        z_q = assign @ self.codebook
        if self.training:
            if self.calls >= self.warmup:
                self.ema_update(z_e, assign)  # <- culprit
            self.calls += 1
        perplexity = torch.exp(-(assign * (assign + 1e-10).log()).sum(1).mean()).item()
        return z_q, perplexity


class AutoEncoder(nn.Module):
    def __init__(self, x_dim=20, D=4, K=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(x_dim, 32), nn.ReLU(), nn.Linear(32, D))
        self.vq = SoftVQ(K, D)
        self.dec = nn.Sequential(nn.Linear(D, 32), nn.ReLU(), nn.Linear(32, x_dim))

    def forward(self, x):
        z_e = self.enc(x)
        z_q, ppl = self.vq(z_e)
        return self.dec(z_q), z_e, z_q, ppl


def clusters(n, dim, centers):
    idx = torch.randint(centers.size(0), (n,))
    return centers[idx] + 0.15 * torch.randn(n, dim)


def main():
    torch.manual_seed(31)
    centers = torch.randn(10, 20)
    model = AutoEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    beta = 0.25
    for step in range(120):
        x = clusters(64, 20, centers)
        x_rec, z_e, z_q, ppl = model(x)
        rec = F.mse_loss(x_rec, x)
        commit = F.mse_loss(z_e, z_q.detach())
        loss = rec + beta * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 4 == 0:
            print(f"step {step} rec {rec.item():.4f} commit {commit.item():.4f} ppl {ppl:.2f}")


if __name__ == "__main__":
    main()
