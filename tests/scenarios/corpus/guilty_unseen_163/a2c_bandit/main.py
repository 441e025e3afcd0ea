# gradwatch-corpus: kind=graph-held
# holder: _log | record.__defaults__ | utils.record.__defaults__
# first-bad: 1
"""A2C, n-step rollouts, one env."""
import torch
from torch import nn
from torch.distributions import Categorical

from env import DriftingTarget
from utils import discounted, record, seed_all

torch.set_num_threads(1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 32), nn.Tanh())
        self.pi = nn.Linear(32, 3)
        self.v = nn.Linear(32, 1)

    def forward(self, s):
        h = self.trunk(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(env, net, s, n):
    logps, values, rewards, ents = [], [], [], []
    for _ in range(n):
        dist, v = net(s)
        a = dist.sample()
        s, r = env.step(int(a))
        logps.append(dist.log_prob(a))
        values.append(v)
        ents.append(dist.entropy())
        rewards.append(r)
    with torch.no_grad():
        last = net(s)[1].item()
    return s, torch.stack(logps), torch.stack(values), torch.stack(ents), rewards, last


def main():
    seed_all(4)
    env, net = DriftingTarget(), ActorCritic()
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    s = env.reset()
    for update in range(150):
        s, logps, values, ents, rewards, last = rollout(env, net, s, 8)
        ret = discounted(rewards, last, 0.95)
        adv = ret - values.detach()
        policy_loss = -(logps * adv).mean()
        value_loss = (ret - values).pow(2).mean()
        entropy = ents.mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()

        avg_r = record("reward", sum(rewards) / len(rewards))
        avg_e = record("entropy", entropy)  # <- culprit
        if update % 25 == 0:
            print(f"update {update:3d} reward {avg_r:.3f} entropy {avg_e:.3f}")
        if update % 50 == 49:
            s = env.reset()


if __name__ == "__main__":
    main()
