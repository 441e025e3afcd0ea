import torch
from torch import nn

from memory import Event, EventMemory, collate


class NewsBandit:
    def __init__(self, n_features, n_articles, replay_after, lr=5e-3):
        self.net = nn.Sequential(
            nn.Linear(n_features, 32), nn.Tanh(), nn.Linear(32, n_articles)
        )
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.memory = EventMemory(400)
        self.replay_after = replay_after
        self.open = []
        self.mean_click = 0.3

    def show(self, ctx):
        dist = torch.distributions.Categorical(logits=self.net(ctx))
        arm = dist.sample()
        logp, ent = dist.log_prob(arm), dist.entropy()
        self.open = [Event(c, a, l, e) for c, a, l, e in zip(ctx, arm, logp, ent)]  # <- culprit
        return arm

    def feedback(self, clicked):
        for ev, c in zip(self.open, clicked):
            ev.click = c
            self.memory.add(ev)
        self.mean_click = 0.95 * self.mean_click + 0.05 * clicked.mean().item()

    def pick_events(self):
        if len(self.memory) <= self.replay_after:
            return self.memory.latest(8)
        return self.memory.mixed(16)  # <- culprit

    def learn(self):
        logp, ent, click = collate(self.pick_events())
        adv = click - self.mean_click
        loss = -(adv * logp).mean() - 0.01 * ent.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
