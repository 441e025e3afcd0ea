# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)


class Vae(nn.Module):
    def __init__(self, d=16, z=3):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, d))
        self.last_kl = None

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, 1)
        self.last_kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return self.dec(mu + torch.randn_like(mu) * (0.5 * logvar).exp())


class Sam:
    """Sharpness aware step: climb, take the gradient there, go back, descend."""

    def __init__(self, params, base, rho=0.02):
        self.params, self.base, self.rho = list(params), base, rho

    def step(self, closure):
        self.base.zero_grad()
        loss = closure()
        loss.backward()
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        with torch.no_grad():
            old = [p.clone() for p in self.params]
            for p in self.params:
                p.add_(p.grad, alpha=self.rho / (norm.item() + 1e-9))
        self.base.zero_grad()
        closure().backward()
        with torch.no_grad():
            for p, o in zip(self.params, old):
                p.copy_(o)
        self.base.step()
        return loss


class Ema:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.avg = {k: v.clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            self.avg[k] = self.decay * self.avg[k] + (1 - self.decay) * v


def main():
    model = Vae()
    sam = Sam(model.parameters(), torch.optim.Adam(model.parameters(), 3e-3))
    ema, basis = Ema(model), torch.randn(3, 16)
    best, kept = float("inf"), None
    for it in range(100):
        x = torch.randn(48, 3) @ basis + 0.1 * torch.randn(48, 16)
        beta = min(1.0, (it % 40) / 20)

        def closure():
            rec = F.mse_loss(model(x), x, reduction="none").sum(1).mean()
            return rec + 0.2 * beta * model.last_kl

        loss = sam.step(closure)
        ema.update(model)
        if loss.item() < best:
            best, kept = loss.item(), {k: v.clone() for k, v in ema.avg.items()}
        if it % 25 == 0:
            print(it, f"loss {loss.item():.2f} kl {model.last_kl.item():.2f} best {best:.2f}")
    model.load_state_dict(kept)


if __name__ == "__main__":
    main()
