# gradwatch-corpus: kind=second-backward
# holder: logprobs | b_logprobs
# first-bad: 1
# notice: 0
import argparse

import torch

torch.set_num_threads(1)
import torch.nn as nn
from torch.distributions import Categorical

args = argparse.Namespace(num_steps=16, num_envs=4, update_epochs=3, num_minibatches=2, gamma=0.97,
                          gae_lambda=0.9, clip_coef=0.2, ent_coef=0.01, vf_coef=0.5, total_updates=60, seed=1)


class VecCorridor:
    def __init__(self, n):
        self.n = n
        self.pos = torch.zeros(n)

    def reset(self):
        self.pos = torch.randint(-3, 4, (self.n,)).float()
        return self.obs()

    def obs(self):
        return torch.stack([self.pos / 4, (self.pos > 0).float()], 1)

    def step(self, a):
        self.pos = self.pos + (2 * a - 1).float()
        done = self.pos.abs() >= 4
        reward = (self.pos >= 4).float() - 0.02
        self.pos = torch.where(done, torch.zeros(self.n), self.pos)
        return self.obs(), reward, done.float()


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.actor = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        probs = Categorical(logits=self.actor(x))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)


def collect(agent, envs, next_obs, next_done):
    store = {k: [] for k in ("obs", "actions", "logprobs", "rewards", "dones", "values")}
    for _ in range(args.num_steps):
        action, logprob, _, value = agent.get_action_and_value(next_obs)
        store["obs"].append(next_obs)
        store["dones"].append(next_done)
        store["values"].append(value.flatten().detach())
        store["actions"].append(action)
        store["logprobs"].append(logprob)  # <- culprit
        next_obs, reward, next_done = envs.step(action)
        store["rewards"].append(reward)
    return {k: torch.stack(v) for k, v in store.items()}, next_obs, next_done


def gae(agent, roll, next_obs, next_done):
    with torch.no_grad():
        next_value = agent.get_value(next_obs).flatten()
        adv, last = torch.zeros_like(roll["rewards"]), 0
        for t in reversed(range(args.num_steps)):
            nonterm = 1 - (next_done if t == args.num_steps - 1 else roll["dones"][t + 1])
            nv = next_value if t == args.num_steps - 1 else roll["values"][t + 1]
            delta = roll["rewards"][t] + args.gamma * nv * nonterm - roll["values"][t]
            adv[t] = last = delta + args.gamma * args.gae_lambda * nonterm * last
    return adv, adv + roll["values"]


torch.manual_seed(args.seed)
envs, agent = VecCorridor(args.num_envs), Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
next_obs, next_done = envs.reset(), torch.zeros(args.num_envs)
for update in range(args.total_updates):
    roll, next_obs, next_done = collect(agent, envs, next_obs, next_done)
    advantages, returns = gae(agent, roll, next_obs, next_done)
    b_obs = roll["obs"].flatten(0, 1)
    b_actions, b_logprobs = roll["actions"].flatten(), roll["logprobs"].flatten()
    b_adv, b_ret = advantages.flatten(), returns.flatten()
    for epoch in range(args.update_epochs):
        for mb in torch.randperm(len(b_obs)).chunk(args.num_minibatches):
            _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[mb], b_actions[mb])
            ratio = (newlogprob - b_logprobs[mb]).exp()
            a = (b_adv[mb] - b_adv[mb].mean()) / (b_adv[mb].std() + 1e-8)
            pg_loss = torch.max(-a * ratio, -a * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
            v_loss = 0.5 * (newvalue.flatten() - b_ret[mb]).pow(2).mean()
            loss = pg_loss - args.ent_coef * entropy.mean() + args.vf_coef * v_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    print(update, roll["rewards"].sum().item())
