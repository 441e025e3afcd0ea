# gradwatch-corpus: kind=inplace-modified
# holder: self.codes | quantizer.codes | self.quantizer.codes
# first-bad: 15
# notice: 0
"""Autoencoder with soft codes; after a warm-up the code book follows the latents by a moving average."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class SoftQuantizer(nn.Module):
    def __init__(self, n=24, dim=8, decay=0.97, warmup=15):
        super().__init__()
        self.decay = decay
        self.warmup = warmup
        self.calls = 0
        self.register_buffer("codes", F.normalize(torch.randn(n, dim), dim=1))
        self.register_buffer("usage", torch.ones(n))

    @torch.no_grad()
    def follow(self, z, weights):
        mass = weights.sum(0)
        self.usage.lerp_(mass, 1 - self.decay)
        target = (weights.T @ z) / mass.clamp(min=1e-3).unsqueeze(1)
        self.codes.lerp_(target, 1 - self.decay)  # <- culprit

    def forward(self, z, temperature=0.5):
        similarity = z @ self.codes.T  # <- culprit
        weights = torch.softmax(similarity / temperature, dim=1)
        if self.training:
            self.calls += 1
            if self.calls > self.warmup:
                self.follow(z, weights)  # <- culprit
        return weights @ self.codes.clone(), weights


class AutoEncoder(nn.Module):
    def __init__(self, dim=30):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, 8))
        self.quantizer = SoftQuantizer()
        self.dec = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        z = self.enc(x)
        q, weights = self.quantizer(z)
        return self.dec(q), z, q, weights


def objective(x, rec, z, q, weights, commit=0.25, balance=0.05):
    usage = weights.mean(0)
    entropy = -(usage * usage.clamp(min=1e-8).log()).sum()
    return F.mse_loss(rec, x) + commit * F.mse_loss(z, q) - balance * entropy


class Mixture:
    def __init__(self, k=12, dim=30, seed=91):
        self.gen = torch.Generator().manual_seed(seed)
        self.means = torch.randn(k, dim, generator=self.gen)

    def draw(self, n=64):
        which = torch.randint(0, len(self.means), (n,), generator=self.gen)
        return self.means[which] + 0.2 * torch.randn(n, self.means.shape[1], generator=self.gen)


def main():
    torch.manual_seed(90)
    torch.set_num_threads(1)
    data = Mixture()
    model = AutoEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(120):
        x = data.draw()
        rec, z, q, weights = model(x)
        loss = objective(x, rec, z, q, weights)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 5 == 0:
            used = int((model.quantizer.usage > 0.5).sum())
            print(f"{it:3d} loss {loss.item():.4f} used {used}")


if __name__ == "__main__":
    main()
