# gradwatch-corpus: kind=graph-chain
# holder: self.avg_reward | critic.avg_reward | learner.critic.avg_reward | self.critic.avg_reward
# first-bad: 1
"""Average-reward (differential) actor-critic on the access-control queue, linear critic on random features.

Follows chapter 10 of the book, except that both parts are fitted by Adam.
"""
import torch
from torch import nn
from torch.nn import functional as F


class AccessControl:
    """n queues side by side; customers of priority 1, 2, 4, 8 ask for one of k servers."""

    PRIORITY = torch.tensor([1.0, 2.0, 4.0, 8.0])

    def __init__(self, n, k=10, free_p=0.06):
        self.n, self.k, self.free_p = n, k, free_p
        self.busy = torch.zeros(n)
        self.who = torch.randint(0, 4, (n,))

    def observe(self):
        return torch.cat([(1 - self.busy / self.k)[:, None], F.one_hot(self.who, 4).float()], 1)

    def step(self, accept):
        taken = accept.bool() & (self.busy < self.k)
        reward = self.PRIORITY[self.who] * taken
        busy = self.busy + taken
        freed = torch.rand(self.n, self.k).lt(self.free_p)
        slots = torch.arange(self.k)[None, :] < busy[:, None]
        self.busy = busy - (freed & slots).sum(1)
        self.who = torch.randint(0, 4, (self.n,))
        return reward / 8.0


class RandomFeatures(nn.Module):
    def __init__(self, d_in, d_out, scale=1.5):
        super().__init__()
        self.register_buffer("w", torch.randn(d_in, d_out) * scale)
        self.register_buffer("b", torch.rand(d_out) * 6.2832)

    def forward(self, x):
        return torch.cos(x @ self.w + self.b) * (2.0 / self.w.shape[1]) ** 0.5


class DifferentialCritic(nn.Module):
    """Values relative to the average reward, which is tracked by the TD error itself."""

    def __init__(self, d, eta=0.05):
        super().__init__()
        self.head = nn.Linear(d, 1)
        self.eta = eta
        self.avg_reward = torch.zeros(())

    def forward(self, phi):
        return self.head(phi).squeeze(-1)

    def td(self, phi, reward, phi_next):
        with torch.no_grad():
            v_next = self(phi_next)
        return reward - self.avg_reward + v_next - self(phi)

    def track(self, delta):
        self.avg_reward = self.avg_reward + self.eta * delta.mean()  # <- culprit


class Learner:
    def __init__(self, env, d=96, lr=3e-3):
        self.env = env
        self.features = RandomFeatures(5, d)
        self.critic = DifferentialCritic(d)
        self.policy = nn.Linear(d, 2)
        self.opt = torch.optim.Adam([
            {"params": self.critic.parameters(), "lr": lr},
            {"params": self.policy.parameters(), "lr": lr},
        ])

    def losses(self, phi, act, delta):
        yield "critic", 0.5 * delta.pow(2).mean()
        logp = F.log_softmax(self.policy(phi), dim=-1)
        chosen = logp.gather(1, act[:, None]).squeeze(1)
        yield "actor", -(chosen * delta.detach()).mean()
        yield "entropy", 0.01 * (logp.exp() * logp).sum(1).mean()

    def backprop(self, named):
        out = {}
        self.opt.zero_grad()
        for name, part in named:
            part.backward(retain_graph=True)  # <- culprit
            out[name] = part.item()
        self.opt.step()
        return out

    def step(self):
        phi = self.features(self.env.observe())
        with torch.no_grad():
            act = torch.multinomial(self.policy(phi).softmax(-1), 1).squeeze(1)
        reward = self.env.step(act)
        phi_next = self.features(self.env.observe())
        delta = self.critic.td(phi, reward, phi_next)
        stats = self.backprop(self.losses(phi, act, delta))
        self.critic.track(delta)
        return reward.mean().item(), stats


def run(iterations=250, seed=2):
    torch.manual_seed(seed)
    learner = Learner(AccessControl(n=48))
    recent = 0.0
    for it in range(iterations):
        r, stats = learner.step()
        recent = r if it == 0 else 0.95 * recent + 0.05 * r
        if it % 50 == 49:
            print(f"{it + 1:5d}  reward {recent:.3f}  rho {learner.critic.avg_reward.item():.3f}  "
                  + "  ".join(f"{k} {v:.4f}" for k, v in stats.items()))


if __name__ == "__main__":
    run()
