# gradwatch-corpus: kind=none
"""DDPG-style control of a one-dimensional gripper with a shared encoder, a replay
memory and slowly moving targets."""
import copy
import random

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(13)
random.seed(13)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Gripper:
    def __init__(self):
        self.reset()

    def reset(self):
        self.gap, self.vel = random.uniform(0.2, 1.0), 0.0
        self.object = random.uniform(0.1, 0.6)
        return self.obs()

    def obs(self):
        return torch.tensor([self.gap, self.vel, self.object])

    def step(self, force):
        self.vel = 0.8 * self.vel + 0.1 * float(force)
        self.gap = min(max(self.gap + self.vel, 0.0), 1.0)
        return self.obs(), -abs(self.gap - self.object)


class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = mlp(3, 32, 16)
        self.actor = mlp(16, 16, 1)
        self.critic = mlp(17, 32, 1)

    def pi(self, z):
        return torch.tanh(self.actor(z))

    def q(self, z, a):
        return self.critic(torch.cat((z, a), -1)).squeeze(-1)


class Learner:
    def __init__(self, tau=0.02, gamma=0.9):
        self.brain = Brain()
        self.target = copy.deepcopy(self.brain)
        self.opt = torch.optim.Adam(self.brain.parameters(), lr=2e-3)
        self.memory, self.q_log = [], []
        self.tau, self.gamma = tau, gamma

    def act(self, obs, noise):
        action = self.brain.pi(self.brain.encoder(obs)) + noise * torch.randn(1)
        return action.clamp(-1, 1)

    def remember(self, s, a, r, s2):
        self.memory.append((s, a.detach(), torch.tensor(r), s2))

    def learn(self, batch):
        s, a, r, s2 = map(torch.stack, zip(*random.sample(self.memory, batch)))
        with torch.no_grad():
            z2 = self.target.encoder(s2)
            y = r + self.gamma * self.target.q(z2, self.target.pi(z2))
        z = self.brain.encoder(s)
        td = F.smooth_l1_loss(self.brain.q(z, a), y)
        q_pi = self.brain.q(z, self.brain.pi(z))
        self.opt.zero_grad()
        td.backward(retain_graph=True)
        critic_grads = [p.grad.clone() for p in self.brain.critic.parameters()]
        (-0.1 * q_pi.mean()).backward()
        for p, g in zip(self.brain.critic.parameters(), critic_grads):
            p.grad = g
        self.opt.step()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.brain.parameters()):
                t.lerp_(p, self.tau)
        self.q_log.append(q_pi.mean().detach())


def main():
    env, learner = Gripper(), Learner()
    for episode in range(70):
        obs, total = env.reset(), 0.0
        for _ in range(8):
            act = learner.act(obs, noise=0.3)
            nxt, rew = env.step(act.item())
            learner.remember(obs, act, rew, nxt)
            obs, total = nxt, total + rew
            if len(learner.memory) >= 64:
                learner.learn(32)
        if episode % 14 == 0:
            q = torch.stack(learner.q_log[-50:]).mean().item() if learner.q_log else float("nan")
            print(f"episode {episode:3d} return {total:+.3f} q {q:+.3f} updates {len(learner.q_log)}")


main()
