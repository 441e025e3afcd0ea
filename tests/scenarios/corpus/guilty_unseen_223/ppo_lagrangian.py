# gradwatch-corpus: kind=second-backward
# holder: self.value | lagrange.value | agent.lagrange.value
# first-bad: 1
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(8)


class PointEnv:
    """Vectorised one-step-lookahead point robot; speed is costly beyond a limit."""

    def __init__(self, n):
        self.n = n
        self.state = torch.randn(n, 3)

    def step(self, action):
        noise = 0.02 * torch.randn(self.n, 3)
        self.state = 0.9 * self.state + 0.2 * action + noise
        reward = -self.state.pow(2).sum(-1)
        cost = (action.norm(dim=-1) > 0.8).float()
        return self.state.clone(), reward, cost


class Lagrange:
    def __init__(self, limit, lr):
        self.limit = limit
        self.lr = lr
        self.value = torch.tensor(0.1)

    def update(self, cost_estimate):
        violation = cost_estimate - self.limit
        self.value = torch.clamp(self.value + self.lr * violation, min=0.0)  # <- culprit


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mu = nn.Linear(64, 3)
        self.log_std = nn.Parameter(torch.full((3,), -0.5))
        self.v = nn.Linear(64, 1)
        self.lagrange = Lagrange(limit=0.1, lr=0.05)

    def forward(self, obs):
        h = self.body(obs)
        return Normal(self.mu(h), self.log_std.exp()), self.v(h).squeeze(-1)


@torch.no_grad()
def rollout(env, agent, horizon=10, gamma=0.95):
    obs = env.state.clone()
    rows = []
    for _ in range(horizon):
        dist, value = agent(obs)
        action = dist.sample()
        logp = dist.log_prob(action).sum(-1)
        nxt, reward, cost = env.step(action)
        rows.append([obs, action, logp, value, reward, cost])
        obs = nxt
    _, boot = agent(obs)
    ret = boot
    for row in reversed(rows):
        ret = row[4] + gamma * ret
        row.append(ret)
    return [torch.cat(col) for col in zip(*rows)]


def ppo_step(agent, opt, batch, clip=0.2):
    obs, act, old_logp, old_v, _, cost, ret = batch
    adv = ret - old_v
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    dist, v = agent(obs)
    ratio = (dist.log_prob(act).sum(-1) - old_logp).exp()
    surr = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
    cost_surr = (ratio * cost).mean()
    lam = agent.lagrange.value  # <- culprit
    policy_loss = (-surr + lam * cost_surr) / (1 + lam)
    loss = policy_loss + 0.5 * (ret - v).pow(2).mean() - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    opt.step()
    agent.lagrange.update(cost_surr)  # <- culprit
    return loss.item()


env = PointEnv(24)
agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
for update in range(80):
    batch = rollout(env, agent)
    value = ppo_step(agent, opt, batch)
    if update % 10 == 0:
        print(update, "%.3f" % value, "lambda %.3f" % float(agent.lagrange.value))
