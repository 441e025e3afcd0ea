# gradwatch-corpus: kind=crashed
# first-bad: 0
"""REINFORCE with a running baseline for a toy elevator dispatcher; one update per episode."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

from collector import Collector, discounted
from env import Elevator


class Policy(nn.Module):
    def __init__(self, n_obs, n_act, hidden=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, n_act))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class Reinforce:
    def __init__(self, policy, lr=3e-3, entropy=0.01):
        self.policy, self.entropy = policy, entropy
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.baseline = 0.0

    def update(self, ep):
        ret = discounted(ep.rewards)
        adv = ret - self.baseline
        self.baseline += 0.05 * (ret.mean().item() - self.baseline)
        dist = self.policy(ep.obs)
        loss = -(dist.log_prob(ep.actions) * adv).mean() - self.entropy * dist.entropy().mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(3)
    env = Elevator(seed=3)
    policy = Policy(3 * Elevator.FLOORS, 3)
    agent, collector = Reinforce(policy), Collector(env, policy)
    score = None
    for i, episode in enumerate(collector.episodes(500)):
        agent.update(episode)
        total = episode.rewards.sum().item()
        score = total if score is None else 0.95 * score + 0.05 * total
        if i % 50 == 0:
            print(f"episode {i:4d} return {score:.2f} baseline {agent.baseline:.2f}")


if __name__ == "__main__":
    main()
