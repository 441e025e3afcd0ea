# gradwatch-corpus: kind=none
"""Recurrent A2C with truncated backpropagation; one iteration is one environment step."""
import argparse

import torch
import torch.nn as nn

from storage import CueEnv, Rollout


class Net(nn.Module):
    def __init__(self, obs=4, width=24, actions=3):
        super().__init__()
        self.cell = nn.GRUCell(obs, width)
        self.pi, self.v = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.pi(h).log_softmax(-1), self.v(h).squeeze(-1), h


class Agent:
    def __init__(self, n, width=24, gamma=0.6, horizon=6):
        self.net = Net(width=width)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.h = torch.zeros(n, width)
        self.rollout = Rollout()
        self.gamma, self.horizon = gamma, horizon
        self.listeners = []

    def on_update(self, fn):
        self.listeners.append(fn)
        return fn

    def act(self, obs):
        logp, value, self.h = self.net(obs, self.h)
        action = torch.multinomial(logp.detach().exp(), 1)
        self.rollout.add(logp=logp.gather(1, action).squeeze(1), value=value,
                         entropy=-(logp.exp() * logp).sum(-1))
        return action.squeeze(1)

    def observe(self, reward, next_obs):
        self.rollout.add(reward=reward)
        if len(self.rollout) >= self.horizon:
            self.update(next_obs)

    def update(self, next_obs):
        with torch.no_grad():
            last = self.net(next_obs, self.h)[1]
        returns = self.rollout.returns(last, self.gamma)
        values = self.rollout.stacked("value")
        critic = (returns - values).pow(2).mean()
        actor = -(self.rollout.stacked("logp") * (returns - values).detach()).mean()
        actor = actor - 0.01 * self.rollout.stacked("entropy").mean()
        self.opt.zero_grad()
        critic.backward(retain_graph=True)  # the two losses share the recurrent trunk
        actor.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        for fn in self.listeners:
            fn(critic.item(), actor.item(), self.rollout.stacked("reward").mean().item())
        self.rollout.clear()
        self.h = self.h.detach()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--envs", type=int, default=16)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    env, agent = CueEnv(args.envs), Agent(args.envs)
    curve = []

    @agent.on_update
    def remember(critic, actor, reward):
        curve.append((critic, actor, reward))

    for step in range(args.steps):
        action = agent.act(env.obs())
        reward = env.step(action)
        agent.observe(reward, env.obs())
        if step % 60 == 59:
            print(f"step {step:4d} updates {len(curve)} reward {curve[-1][2]:.3f}")


if __name__ == "__main__":
    main()
