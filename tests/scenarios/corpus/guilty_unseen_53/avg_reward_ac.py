# gradwatch-corpus: kind=graph-chain
# holder: self.rho | agent.rho
# first-bad: 1
# Continuing actor-critic with the average reward formulation (Sutton & Barto, ch. 13.6)
import argparse
from collections import deque

import torch
from torch import nn
from torch.distributions import Categorical


class ServerQueue:
    """accept or reject customers with priorities, continuing task"""

    def __init__(self, n_servers=5, p_free=0.1):
        self.n, self.p = n_servers, p_free
        self.free = n_servers
        self.prio = 0

    def observe(self):
        phi = torch.zeros(4 * (self.n + 1))
        phi[self.prio * (self.n + 1) + self.free] = 1.0
        return phi

    def step(self, action):
        reward = 0.0
        if action == 1 and self.free > 0:
            reward = float(2 ** self.prio) / 4
            self.free -= 1
        busy = self.n - self.free
        if busy:
            self.free += int((torch.rand(busy) < self.p).sum())
        self.prio = int(torch.randint(0, 4, (1,)))
        return self.observe(), reward


class Agent:
    def __init__(self, n_feat, lr_actor, lr_critic, lr_rho):
        self.actor = nn.Linear(n_feat, 2)
        self.critic = nn.Linear(n_feat, 1, bias=False)
        nn.init.zeros_(self.critic.weight)
        self.opt_actor = torch.optim.SGD(self.actor.parameters(), lr=lr_actor)
        self.opt_critic = torch.optim.SGD(self.critic.parameters(), lr=lr_critic)
        self.rho = torch.zeros(1)
        self.lr_rho = lr_rho

    def act(self, phi):
        dist = Categorical(logits=self.actor(phi))
        a = dist.sample()
        return a.item(), dist.log_prob(a)

    def learn(self, phi, reward, phi_next, log_prob):
        with torch.no_grad():
            v_next = self.critic(phi_next)
        delta = reward - self.rho + v_next - self.critic(phi)
        self.rho = self.rho + self.lr_rho * delta  # <- culprit

        critic_loss = 0.5 * delta.pow(2).sum()
        self.opt_critic.zero_grad()
        critic_loss.backward(retain_graph=True)
        self.opt_critic.step()

        actor_loss = -(log_prob * delta.detach()).sum()
        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()
        return critic_loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args([])
    torch.manual_seed(args.seed)

    env = ServerQueue()
    phi = env.observe()
    agent = Agent(phi.numel(), lr_actor=0.05, lr_critic=0.05, lr_rho=0.01)
    recent = deque(maxlen=50)
    for t in range(1, args.steps + 1):
        action, log_prob = agent.act(phi)
        phi_next, reward = env.step(action)
        closs = agent.learn(phi, reward, phi_next, log_prob)
        recent.append(reward)
        phi = phi_next
        if t % 40 == 0:
            print("t=%d  rho=%.3f  recent reward=%.3f  critic=%.4f"
                  % (t, agent.rho.item(), sum(recent) / len(recent), closs))


if __name__ == "__main__":
    main()
