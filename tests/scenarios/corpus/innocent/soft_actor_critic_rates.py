# gradwatch-corpus: kind=none
# about: the critic steps every time, the actor each tenth, the temperature each hundredth;
# about: target networks and a bounded replay buffer of detached transitions
import copy
import random
from collections import deque

import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS


class ReplayBuffer:
    def __init__(self, size=1000):
        self.buffer = deque(maxlen=size)

    def push(self, *transition):
        self.buffer.append(tuple(torch.as_tensor(t, dtype=torch.float32) for t in transition))

    def sample(self, n):
        return [torch.stack(column) for column in zip(*random.sample(self.buffer, n))]


def q_net():
    return nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))


class SAC:
    def __init__(self):
        self.actor = q_net()
        self.q1, self.q2 = q_net(), q_net()
        self.t1, self.t2 = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.critic_opt = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()], lr=1e-3)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=1e-3)

    def policy(self, obs):
        log_p = torch.log_softmax(self.actor(obs), -1)
        return log_p.exp(), log_p

    def update_critic(self, obs, action, reward, following, fell):
        with torch.no_grad():
            p, log_p = self.policy(following)
            q = torch.min(self.t1(following), self.t2(following))
            v = (p * (q - self.log_alpha.exp() * log_p)).sum(-1)
            target = reward + 0.98 * (1 - fell) * v
        rows = action.long().unsqueeze(1)
        loss = sum(
            ((q(obs).gather(1, rows).squeeze(1) - target) ** 2).mean() for q in (self.q1, self.q2)
        )
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        with torch.no_grad():
            for slow, fast in ((self.t1, self.q1), (self.t2, self.q2)):
                for a, b in zip(slow.parameters(), fast.parameters()):
                    a.lerp_(b, 0.01)
        return loss

    def update_actor(self, obs):
        p, log_p = self.policy(obs)
        with torch.no_grad():
            q = torch.min(self.q1(obs), self.q2(obs))
        loss = (p * (self.log_alpha.exp().detach() * log_p - q)).sum(-1).mean()
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()

    def update_alpha(self, obs):
        with torch.no_grad():
            p, log_p = self.policy(obs)
            entropy = -(p * log_p).sum(-1).mean()
        loss = self.log_alpha.exp() * (entropy - 0.5)
        self.alpha_opt.zero_grad()
        loss.sum().backward()
        self.alpha_opt.step()


def main():
    random.seed(0)
    torch.manual_seed(0)
    env, replay, sac = CartPole(seed=4), ReplayBuffer(), SAC()
    obs = env.reset()
    for step in range(3 * ITERATIONS):
        with torch.no_grad():
            p, _ = sac.policy(torch.tensor(obs))
        action = int(torch.multinomial(p, 1))
        following, reward, fell, over = env.step(action)
        replay.push(obs, action, reward, following, float(fell))
        obs = env.reset() if fell or over else following
        if len(replay.buffer) < 64:
            continue
        batch = replay.sample(32)
        loss = sac.update_critic(*batch)
        if step % 10 == 0:
            sac.update_actor(batch[0])
        if step % 100 == 0:
            sac.update_alpha(batch[0])
            print(f"{step}: critic {loss.item():.6f} alpha {sac.log_alpha.exp().item():.6f}")


if __name__ == "__main__":
    main()
