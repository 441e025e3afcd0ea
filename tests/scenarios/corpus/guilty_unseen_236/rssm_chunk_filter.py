# gradwatch-corpus: kind=second-backward
# holder: self.belief | model.belief
# first-bad: 1
"""Recurrent state-space filter on chunks of a long bouncing-ball trajectory."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

CONFIG = dict(
    obs_dim=4,
    deter=24,
    stoch=6,
    chunk=6,
    parallel=10,
    free_nats=0.5,
    kl_scale=0.2,
    lr=8e-4,
    chunks_per_episode=40,
    episodes=2,
)


class BouncingBall:
    def __init__(self, n):
        self.pos = torch.rand(n, 2)
        self.vel = 0.1 * torch.randn(n, 2)

    def roll(self, length):
        out = []
        for _ in range(length):
            self.pos = self.pos + self.vel
            hit = (self.pos < 0.0) | (self.pos > 1.0)
            self.vel = torch.where(hit, -self.vel, self.vel)
            self.pos = self.pos.clamp(0.0, 1.0)
            out.append(torch.cat([self.pos, self.vel], dim=-1) + 0.02 * torch.randn(self.pos.size(0), 4))
        return torch.stack(out)


class FilterRSSM(nn.Module):
    def __init__(self, obs_dim, deter, stoch):
        super().__init__()
        self.sizes = {"h": deter, "z": stoch}
        self.gru = nn.GRUCell(stoch, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Linear(deter + obs_dim, 2 * stoch)
        self.dec = nn.Sequential(nn.Linear(deter + stoch, 32), nn.ELU(), nn.Linear(32, obs_dim))
        self.belief = None

    def reset(self, batch):
        self.belief = {k: torch.zeros(batch, n) for k, n in self.sizes.items()}

    @staticmethod
    def gaussian(stats):
        mu, raw = stats.chunk(2, -1)
        return Normal(mu, F.softplus(raw) + 1e-2)

    def forward(self, chunk):
        h = self.belief["h"]  # <- culprit
        z = self.belief["z"]  # <- culprit
        nll = []
        kl = []
        for o in chunk:
            h = self.gru(z, h)
            p = self.gaussian(self.prior(h))
            q = self.gaussian(self.post(torch.cat([h, o], dim=-1)))
            z = q.rsample()
            rec = self.dec(torch.cat([h, z], dim=-1))
            nll.append((rec - o).square().sum(-1).mean())
            kl.append(torch.distributions.kl_divergence(q, p).sum(-1).mean())
        self.belief.update(h=h, z=z)  # <- culprit
        return torch.stack(nll).mean(), torch.stack(kl).mean()


class AverageMeter:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def update(self, v):
        self.total += v
        self.n += 1

    @property
    def avg(self):
        return self.total / max(1, self.n)


def train(cfg):
    torch.manual_seed(21)
    model = FilterRSSM(cfg["obs_dim"], cfg["deter"], cfg["stoch"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for ep in range(cfg["episodes"]):
        env = BouncingBall(cfg["parallel"])
        model.reset(cfg["parallel"])
        meters = {"nll": AverageMeter(), "kl": AverageMeter()}
        for _ in range(cfg["chunks_per_episode"]):
            nll, kl = model(env.roll(cfg["chunk"]))
            loss = nll + cfg["kl_scale"] * kl.clamp(min=cfg["free_nats"])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
            meters["nll"].update(nll.item())
            meters["kl"].update(kl.item())
        print(f"episode {ep} " + " ".join(f"{k} {m.avg:.4f}" for k, m in meters.items()))


if __name__ == "__main__":
    train(CONFIG)
