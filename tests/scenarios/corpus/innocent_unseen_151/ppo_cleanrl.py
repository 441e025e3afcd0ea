# gradwatch-corpus: kind=none
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions.normal import Normal

torch.set_num_threads(1)


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 4
    num_steps: int = 32
    num_updates: int = 12
    learning_rate: float = 1e-3
    gamma: float = 0.95
    gae_lambda: float = 0.9
    num_minibatches: int = 4
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.001
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    target_kl: float = 0.5


class PointMassVec:
    def __init__(self, n, seed):
        self.n, self.rng = n, np.random.default_rng(seed)

    def reset(self):
        self.x, self.t = self.rng.uniform(-1, 1, (self.n, 2)), np.zeros(self.n)
        return self.x.astype(np.float32)

    def step(self, a):
        self.x = np.clip(self.x + 0.2 * np.clip(a, -1, 1), -2, 2)
        self.t += 1
        reward = -np.abs(self.x).sum(1)
        done = self.t >= 20
        self.x[done], self.t[done] = self.rng.uniform(-1, 1, (done.sum(), 2)), 0
        return self.x.astype(np.float32), reward.astype(np.float32), done.astype(np.float32)


def layer_init(layer, std=np.sqrt(2)):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, 0.0)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(2, 32)), nn.Tanh(), layer_init(nn.Linear(32, 1), std=1.0))
        self.actor_mean = nn.Sequential(layer_init(nn.Linear(2, 32)), nn.Tanh(), layer_init(nn.Linear(32, 2), std=0.01))
        self.actor_logstd = nn.Parameter(torch.zeros(1, 2))

    def get_action_and_value(self, x, action=None):
        mean = self.actor_mean(x)
        probs = Normal(mean, self.actor_logstd.expand_as(mean).exp())
        action = probs.sample() if action is None else action
        return action, probs.log_prob(action).sum(1), probs.entropy().sum(1), self.critic(x)


if __name__ == "__main__":
    args = Args()
    torch.manual_seed(args.seed)
    envs, agent = PointMassVec(args.num_envs, args.seed), Agent()
    optimizer = optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    shape = (args.num_steps, args.num_envs)
    obs, actions = torch.zeros(shape + (2,)), torch.zeros(shape + (2,))
    logprobs, rewards, dones, values = (torch.zeros(shape) for _ in range(4))
    next_obs, next_done = torch.tensor(envs.reset()), torch.zeros(args.num_envs)
    charts = []
    for update in range(args.num_updates):
        for step in range(args.num_steps):
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
                values[step] = value.flatten()
            actions[step], logprobs[step] = action, logprob
            o, r, d = envs.step(action.numpy())
            rewards[step], next_obs, next_done = torch.tensor(r), torch.tensor(o), torch.tensor(d)
        with torch.no_grad():
            next_value, lastgaelam = agent.critic(next_obs).flatten(), 0
            advantages = torch.zeros_like(rewards)
            for t in reversed(range(args.num_steps)):
                last = t == args.num_steps - 1
                nonterm = 1.0 - (next_done if last else dones[t + 1])
                delta = rewards[t] + args.gamma * (next_value if last else values[t + 1]) * nonterm - values[t]
                advantages[t] = lastgaelam = delta + args.gamma * args.gae_lambda * nonterm * lastgaelam
            returns = advantages + values
        b_obs, b_act = obs.reshape(-1, 2), actions.reshape(-1, 2)
        b_logp, b_adv, b_ret = logprobs.flatten(), advantages.flatten(), returns.flatten()
        clipfracs, size = [], len(b_obs)
        for epoch in range(args.update_epochs):
            for mb in torch.randperm(size).chunk(args.num_minibatches):
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[mb], b_act[mb])
                logratio = newlogprob - b_logp[mb]
                ratio = logratio.exp()
                with torch.no_grad():
                    approx_kl = ((ratio - 1) - logratio).mean()
                    clipfracs += [((ratio - 1.0).abs() > args.clip_coef).float().mean().item()]
                adv = (b_adv[mb] - b_adv[mb].mean()) / (b_adv[mb].std() + 1e-8)
                pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
                v_loss = 0.5 * ((newvalue.flatten() - b_ret[mb]) ** 2).mean()
                loss = pg_loss - args.ent_coef * entropy.mean() + v_loss * args.vf_coef
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
            if approx_kl > args.target_kl:
                break
        charts.append((update, v_loss.item(), pg_loss.item(), approx_kl.item(), np.mean(clipfracs)))
    print(charts[-1], rewards.mean().item())
