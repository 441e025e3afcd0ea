# gradwatch-corpus: kind=none
"""REINFORCE with a learned baseline on a corridor; one update per episode."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.distributions import Bernoulli


class Policy(nn.Module):
    def __init__(self, cells=7):
        super().__init__()
        self.trunk = nn.Embedding(cells, 12)
        self.move, self.value = nn.Linear(12, 1), nn.Linear(12, 1)
        self.saved_log_probs, self.saved_values, self.rewards = [], [], []

    def act(self, cell):
        h = torch.tanh(self.trunk(torch.tensor(cell)))
        dist = Bernoulli(logits=self.move(h))
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        self.saved_values.append(self.value(h))
        return int(a)


def play(policy, cells=7, limit=15):
    at = cells // 2
    for _ in range(limit):
        at += 1 if policy.act(at) else -1
        done = at in (0, cells - 1)
        policy.rewards.append(1.0 if at == cells - 1 else -0.02)
        if done:
            break
    return sum(policy.rewards)


def finish_episode(policy, opt, gamma=0.97):
    ret, returns = 0.0, []
    for r in reversed(policy.rewards):
        ret = r + gamma * ret
        returns.insert(0, ret)
    losses = []
    for lp, v, g in zip(policy.saved_log_probs, policy.saved_values, returns):
        adv = g - v.item()
        losses.append(-lp * adv + 0.5 * (v - g) ** 2)
    opt.zero_grad()
    torch.cat(losses).sum().backward()
    opt.step()
    del policy.saved_log_probs[:], policy.saved_values[:], policy.rewards[:]


def main():
    torch.manual_seed(20)
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    running = 0.0
    for ep in range(1, 601):
        running += 0.05 * (play(policy) - running)
        finish_episode(policy, opt)
        if ep % 150 == 0:
            print(f"episode {ep} running return {running:.3f}")


if __name__ == "__main__":
    main()
