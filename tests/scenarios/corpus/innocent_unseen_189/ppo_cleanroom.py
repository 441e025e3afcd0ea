# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Chase:
    """Vectorised 1-d chase: step towards a drifting target."""

    def __init__(self, n):
        self.n = n
        self.me, self.it = torch.randn(n), torch.randn(n)

    def obs(self):
        return torch.stack([self.me, self.it, self.it - self.me], 1)

    def step(self, action):
        self.me = self.me + 0.3 * (action.float() - 1)
        self.it = (self.it + 0.1 * torch.randn(self.n)).clamp(-2, 2)
        dist = (self.me - self.it).abs()
        done = dist > 3
        self.me = torch.where(done, self.it, self.me)
        return self.obs(), -dist, done.float()


def layer_init(layer, std=2 ** 0.5):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(3, 24)), nn.Tanh(), layer_init(nn.Linear(24, 1), 1.0))
        self.actor = nn.Sequential(layer_init(nn.Linear(3, 24)), nn.Tanh(), layer_init(nn.Linear(24, 3), 0.01))

    def get_value(self, x):
        return self.critic(x).flatten()

    def get_action_and_value(self, x, action=None):
        d = Categorical(logits=self.actor(x))
        if action is None:
            action = d.sample()
        return action, d.log_prob(action), d.entropy(), self.get_value(x)


def main(updates=60, T=8, N=4, epochs=4, minibatches=2, gamma=0.95, lam=0.9, clip=0.2):
    torch.manual_seed(1)
    env, agent = Chase(N), Agent()
    optimizer = optim.Adam(agent.parameters(), lr=2e-3, eps=1e-5)
    obs, actions = torch.zeros(T, N, 3), torch.zeros(T, N)
    logprobs, rewards, dones, values = (torch.zeros(T, N) for _ in range(4))
    next_obs, next_done = env.obs(), torch.zeros(N)
    clipfracs, kls = [], deque(maxlen=20)
    for update in range(updates):
        for t in range(T):
            obs[t], dones[t] = next_obs, next_done
            with torch.no_grad():
                action, logprobs[t], _, values[t] = agent.get_action_and_value(next_obs)
            actions[t] = action
            next_obs, rewards[t], next_done = env.step(action)
        with torch.no_grad():
            next_value, last = agent.get_value(next_obs), 0
            advantages = torch.zeros_like(rewards)
            for t in reversed(range(T)):
                alive = 1.0 - (next_done if t == T - 1 else dones[t + 1])
                nv = next_value if t == T - 1 else values[t + 1]
                delta = rewards[t] + gamma * nv * alive - values[t]
                advantages[t] = last = delta + gamma * lam * alive * last
            returns = advantages + values
        b_obs, b_act, b_lp = obs.flatten(0, 1), actions.flatten(), logprobs.flatten()
        b_adv, b_ret = advantages.flatten(), returns.flatten()
        for _ in range(epochs):
            for mb in torch.randperm(T * N).chunk(minibatches):
                _, newlp, entropy, newval = agent.get_action_and_value(b_obs[mb], b_act[mb].long())
                logratio = newlp - b_lp[mb]
                ratio = logratio.exp()
                with torch.no_grad():
                    kls.append(((ratio - 1) - logratio).mean())
                    clipfracs += [((ratio - 1).abs() > clip).float().mean().item()]
                adv = (b_adv[mb] - b_adv[mb].mean()) / (b_adv[mb].std() + 1e-8)
                pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - clip, 1 + clip)).mean()
                v_loss = 0.5 * (newval - b_ret[mb]).pow(2).mean()
                loss = pg_loss - 0.01 * entropy.mean() + 0.5 * v_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        if update % 10 == 0:
            print(f"update {update} reward {rewards.mean().item():.3f} kl {torch.stack(list(kls)).mean().item():.5f} "
                  f"clipfrac {sum(clipfracs) / len(clipfracs):.3f}")


if __name__ == "__main__":
    main()
