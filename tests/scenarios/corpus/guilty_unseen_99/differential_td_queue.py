# gradwatch-corpus: kind=graph-chain
# holder: agent.rho | self.rho
# first-bad: 1
# notice: 5
"""Average-reward TD for an access-control queue (continuing task, tabular critic).

Differential TD(0):  delta = r - rho + v(s') - v(s).  The reward rate rho is tracked with the
TD error itself (Sutton & Barto, sec. 10.3) instead of with raw rewards.
"""
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

N_SERVERS = 6
PRIORITIES = (1.0, 2.0, 4.0, 8.0)
FREE_PROB = 0.08


class AccessQueue:
    """Customers of four priorities ask for one of N_SERVERS servers."""

    def __init__(self):
        self.free = N_SERVERS
        self.customer = random.randrange(len(PRIORITIES))

    @property
    def n_states(self):
        return (N_SERVERS + 1) * len(PRIORITIES)

    def obs(self):
        return self.free * len(PRIORITIES) + self.customer

    def step(self, accept):
        reward = 0.0
        if accept and self.free > 0:
            reward = PRIORITIES[self.customer]
            self.free -= 1
        busy = N_SERVERS - self.free
        self.free += sum(random.random() < FREE_PROB for _ in range(busy))
        self.customer = random.randrange(len(PRIORITIES))
        return self.obs(), reward


class DifferentialCritic(nn.Module):
    def __init__(self, n_states, rho_step=0.02):
        super().__init__()
        self.v = nn.Parameter(torch.zeros(n_states))
        self.rho = torch.zeros(())
        self.rho_step = rho_step

    def td_error(self, s, r, s_next):
        bootstrap = self.v[s_next].detach()
        return (r - self.rho) + bootstrap - self.v[s]

    def track_rate(self, delta):
        self.rho = torch.add(self.rho, delta, alpha=self.rho_step)  # <- culprit


def policy(env, threshold):
    """Accept when the customer is worth it, more picky when few servers are free."""
    worth = PRIORITIES[env.customer]
    return worth >= threshold * (1.0 + (N_SERVERS - env.free) / N_SERVERS)


def main(n_steps=350):
    env = AccessQueue()
    agent = DifferentialCritic(env.n_states)
    opt = torch.optim.SGD(agent.parameters(), lr=0.05)
    reward_sum = 0.0

    s = env.obs()
    for t in range(n_steps):
        accept = policy(env, 1.5) if random.random() > 0.1 else random.random() < 0.5
        s_next, r = env.step(accept)
        reward_sum += r

        delta = agent.td_error(s, r, s_next)
        loss = 0.5 * delta.pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()

        agent.track_rate(delta)  # <- culprit
        s = s_next

        if (t + 1) % 100 == 0:
            with torch.no_grad():
                spread = (agent.v.max() - agent.v.min()).item()
            print(f"t={t + 1:4d}  rho={agent.rho.item():.3f}  "
                  f"empirical={reward_sum / (t + 1):.3f}  spread={spread:.3f}")


if __name__ == "__main__":
    main()
