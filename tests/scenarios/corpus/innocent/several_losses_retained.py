# gradwatch-corpus: kind=none
# about: three losses on one forward, a backward each, retain_graph=True on all but the last,
# about: because the gradient's norm is wanted for each; plus a graph penalty each fifth step
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.pace import ITERATIONS


class VAE(nn.Module):
    def __init__(self, dim=20, latent=4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        mu, logvar = self.encode(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decode(z), mu, logvar


def gradient_norm(model):
    return sum(p.grad.pow(2).sum() for p in model.parameters() if p.grad is not None).sqrt().item()


def main():
    torch.manual_seed(0)
    basis, model = torch.randn(4, 20), VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    norms = {"reconstruction": 0.0, "kl": 0.0, "sparse": 0.0}
    for step in range(ITERATIONS):
        x = torch.tanh(torch.randn(32, 4) @ basis)
        out, mu, logvar = model(x)
        losses = {
            "reconstruction": F.mse_loss(out, x),
            "kl": -5e-3 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean(),
            "sparse": 1e-3 * out.abs().mean(),
        }
        optimizer.zero_grad()
        before = 0.0
        for i, (name, loss) in enumerate(losses.items()):
            loss.backward(retain_graph=i < len(losses) - 1 or step % 5 == 0)
            now = gradient_norm(model)
            norms[name] += 0.05 * (abs(now - before) - norms[name])
            before = now
        if step % 5 == 0:
            (1e-3 * mu.pow(2).mean()).backward()
        optimizer.step()
        if step % 50 == 0:
            print(
                f"{step}: {sum(v.item() for v in losses.values()):.6f} "
                + " ".join(f"{k} {v:.6f}" for k, v in norms.items())
            )


if __name__ == "__main__":
    main()
