# gradwatch-corpus: kind=graph-held
# holder: model.vq.commit_total | vq.commit_total | self.commit_total
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)


class VectorQuantizer(nn.Module):
    def __init__(self, n_codes, dim, beta=0.25):
        super().__init__()
        self.codebook = nn.Embedding(n_codes, dim)
        self.codebook.weight.data.uniform_(-1 / n_codes, 1 / n_codes)
        self.beta = beta
        self.commit_total = torch.zeros(())
        self.calls = 0

    def forward(self, z):
        flat = z.permute(0, 2, 3, 1).reshape(-1, z.shape[1])
        idx = torch.cdist(flat, self.codebook.weight).argmin(1)
        q = self.codebook(idx).view(z.shape[0], z.shape[2], z.shape[3], -1).permute(0, 3, 1, 2)
        commit = F.mse_loss(z, q.detach())
        loss = F.mse_loss(q, z.detach()) + self.beta * commit
        self.commit_total = self.commit_total + commit  # <- culprit
        self.calls += 1
        usage = torch.bincount(idx, minlength=self.codebook.num_embeddings).float()
        probs = usage / usage.sum()
        perplexity = torch.exp(-(probs * (probs + 1e-10).log()).sum())
        return z + (q - z).detach(), loss, perplexity

    def mean_commit(self):
        return float(self.commit_total) / max(self.calls, 1)


class VQVAE(nn.Module):
    def __init__(self, hid=6, n_codes=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, hid, 4, 2, 1), nn.ReLU(), nn.Conv2d(hid, 4, 3, 1, 1))
        self.vq = VectorQuantizer(n_codes, 4)
        self.dec = nn.Sequential(nn.Conv2d(4, hid, 3, 1, 1), nn.ReLU(), nn.ConvTranspose2d(hid, 1, 4, 2, 1))

    def forward(self, x):
        zq, vq_loss, ppl = self.vq(self.enc(x))
        return self.dec(zq), vq_loss, ppl


def stripes(n):
    k = torch.randint(1, 4, (n, 1, 1, 1)).float()
    ang = torch.rand(n, 1, 1, 1) * 3.14
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 8), torch.linspace(-1, 1, 8), indexing="ij")
    return torch.sin(3 * k * (xx * ang.cos() + yy * ang.sin()))


model = VQVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for update in range(400):
    x = stripes(8)
    x_hat, vq_loss, ppl = model(x)
    loss = F.mse_loss(x_hat, x) + vq_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if update % 100 == 99:
        print(f"update {update + 1} loss {loss.item():.4f} ppl {ppl.item():.2f} commit {model.vq.mean_commit():.5f}")
