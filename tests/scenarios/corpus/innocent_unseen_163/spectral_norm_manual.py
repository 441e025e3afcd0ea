# gradwatch-corpus: kind=none
"""Hinge critic with hand written spectral normalisation (power iteration vector carried between steps)."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(66)


class SNLinear(nn.Module):
    def __init__(self, n_in, n_out, n_power=1):
        super().__init__()
        self.weight_bar = nn.Parameter(torch.empty(n_out, n_in))
        nn.init.orthogonal_(self.weight_bar, gain=1.5)
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.n_power = n_power
        self.u = F.normalize(torch.randn(n_out), dim=0)
        self.v = F.normalize(torch.randn(n_in), dim=0)
        self.weight = None

    def _refresh(self):
        w = self.weight_bar
        if self.training:
            with torch.no_grad():
                for _ in range(self.n_power):
                    self.v = F.normalize(w.t() @ self.u, dim=0)
                    self.u = F.normalize(w @ self.v, dim=0)
        sigma = self.u @ (w @ self.v)
        self.weight = w / sigma

    def forward(self, x):
        self._refresh()
        return F.linear(x, self.weight, self.bias)


class Critic(nn.Module):
    def __init__(self, d=2, h=40):
        super().__init__()
        self.l1, self.l2, self.l3 = SNLinear(d, h), SNLinear(h, h), SNLinear(h, 1)

    def forward(self, x):
        x = F.leaky_relu(self.l1(x), 0.1)
        x = F.leaky_relu(self.l2(x), 0.1)
        return self.l3(x).squeeze(1)

    @torch.no_grad()
    def lipschitz(self):
        out = 1.0
        for l in (self.l1, self.l2, self.l3):
            out *= torch.linalg.matrix_norm(l.weight, 2).item()
        return out


def moons(n):
    t = torch.rand(n) * 3.1416
    side = (torch.rand(n) < 0.5).float()
    x = torch.stack([t.cos() * (1 - 2 * side) + side, t.sin() * (1 - 2 * side) + 0.5 * side], 1)
    return x + 0.05 * torch.randn(n, 2)


def main():
    critic = Critic()
    opt = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
    gap_avg = 0.0
    for step in range(150):
        real = moons(64)
        noise = torch.randn(64, 2)
        real_score, noise_score = critic(real), critic(noise)
        loss = F.relu(1 - real_score).mean() + F.relu(1 + noise_score).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        gap_avg = 0.9 * gap_avg + 0.1 * (real_score.mean() - noise_score.mean()).item()
        if step % 25 == 0:
            print(f"step {step} hinge {loss.item():.3f} gap {gap_avg:.3f} L {critic.lipschitz():.3f}")


if __name__ == "__main__":
    main()
