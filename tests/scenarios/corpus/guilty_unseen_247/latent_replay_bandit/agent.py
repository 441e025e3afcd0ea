import torch
from torch import nn

from replay import LatentReplay, Item


class LatentReplayAgent:
    def __init__(self, features, arms, latent, warmup, epsilon=0.1):
        self.trunk = nn.Sequential(nn.Linear(features, 40), nn.Mish(), nn.Linear(40, latent), nn.Tanh())
        self.heads = nn.Linear(latent, arms)
        self.arms = arms
        self.epsilon = epsilon
        self.warmup = warmup
        self.replay = LatentReplay(capacity=64)
        params = list(self.trunk.parameters()) + list(self.heads.parameters())
        self.opt = torch.optim.RMSprop(params, lr=1e-3)
        self.rounds = 0

    def act(self, context):
        latent = self.trunk(context)
        with torch.no_grad():
            greedy = self.heads(latent).argmax(1)
            explore = torch.rand(len(context)) < self.epsilon
            arms = torch.where(explore, torch.randint(0, self.arms, greedy.shape), greedy)
        return arms, latent

    def fit_value(self, latent, arms, reward):
        value = self.heads(latent).gather(1, arms.unsqueeze(1)).squeeze(1)
        return (value - reward).pow(2).mean()

    def learn(self, latent, arms, reward):
        loss = self.fit_value(latent, arms, reward)
        if self.rounds > self.warmup:
            old = self.replay.sample()
            loss = loss + 0.5 * self.fit_value(old.latent, old.arms, old.reward)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.push(Item(latent, arms, reward))  # <- culprit
        self.rounds += 1
        return loss.item()
