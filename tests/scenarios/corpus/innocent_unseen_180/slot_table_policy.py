# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Categorical


class SlotTable:
    """Looks like an endless array, is a circular one: index t lands in t mod n."""

    def __init__(self, n):
        self._n = n
        self._cells = {}

    def __setitem__(self, t, value):
        self._cells[t % self._n] = (t, value)

    def __getitem__(self, t):
        stamp, value = self._cells[t % self._n]
        if stamp != t:
            raise KeyError(t)
        return value

    def __contains__(self, t):
        cell = self._cells.get(t % self._n)
        return cell is not None and cell[0] == t

    def __len__(self):
        return len(self._cells)


class Bandit:
    def __init__(self, n_arms, n_ctx, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.theta = torch.randn(n_ctx, n_arms, generator=self.gen)

    def contexts(self, n):
        return torch.randn(n, self.theta.size(0), generator=self.gen)

    def reward(self, ctx, arm):
        best = ctx @ self.theta
        return best.gather(1, arm.unsqueeze(1)).squeeze(1)


class Policy(nn.Module):
    def __init__(self, n_ctx, n_arms):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_ctx, 32), nn.Tanh(), nn.Linear(32, n_arms))

    def forward(self, ctx):
        return Categorical(logits=self.net(ctx))


def run(steps=800, lag=30):
    torch.manual_seed(2)
    env = Bandit(6, 10, seed=4)
    pi = Policy(10, 6)
    opt = torch.optim.Adam(pi.parameters(), lr=5e-3)
    logps = SlotTable(64)
    entropies = SlotTable(64)
    baseline = 0.0
    for t in range(steps):
        ctx = env.contexts(32)
        dist = pi(ctx)
        arm = dist.sample()
        r = env.reward(ctx, arm)
        logps[t] = dist.log_prob(arm)
        entropies[t] = dist.entropy().mean()
        loss = -(logps[t] * (r - baseline)).mean() - 0.01 * entropies[t]
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.95 * baseline + 0.05 * r.mean().item()
        if t % 160 == 0 and (t - lag) in entropies:
            delta = entropies[t].item() - entropies[t - lag].item()
            print(f"t={t} baseline {baseline:.3f} entropy change {delta:+.4f} logp {logps[t - lag].mean().item():.3f}")
    print("cells", len(logps))


if __name__ == "__main__":
    run()
