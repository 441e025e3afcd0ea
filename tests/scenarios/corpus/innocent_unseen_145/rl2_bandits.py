# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from torch import nn
from torch.distributions import Categorical

EPISODES, STEPS, ARMS, BATCH = 3, 4, 3, 8


class RL2(nn.Module):
    def __init__(self, hid=16):
        super().__init__()
        self.rnn = nn.GRUCell(ARMS + 2, hid)
        self.actor, self.value = nn.Linear(hid, ARMS), nn.Linear(hid, 1)
        self.hid = hid

    def forward(self, prev, h):
        h = self.rnn(prev, h)
        return Categorical(logits=self.actor(h)), self.value(h)[:, 0], h


class Trial:
    """One bandit kept for a few episodes; memory lives as long as the trial does."""

    def __init__(self, agent):
        self.agent = agent
        self.p = torch.rand(BATCH, ARMS)
        self.h = torch.zeros(BATCH, agent.hid)
        self.prev = torch.zeros(BATCH, ARMS + 2)

    def episode(self):
        logps, values, rewards, ents = [], [], [], []
        for t in range(STEPS):
            dist, v, self.h = self.agent(self.prev, self.h)
            a = dist.sample()
            r = torch.bernoulli(self.p.gather(1, a[:, None])[:, 0])
            end = torch.full((BATCH, 1), float(t == STEPS - 1))
            self.prev = torch.cat([nn.functional.one_hot(a, ARMS).float(), r[:, None], end], 1)
            logps.append(dist.log_prob(a))
            values.append(v)
            rewards.append(r)
            ents.append(dist.entropy())
        R = torch.stack(rewards)
        togo = R.flip(0).cumsum(0).flip(0)
        V = torch.stack(values)
        adv = togo - V
        loss = -(torch.stack(logps) * adv.detach()).mean() + 0.3 * adv.pow(2).mean() - 0.01 * torch.stack(ents).mean()
        return loss, R.mean().item()


def learn(trials=420):
    agent = RL2()
    opt = torch.optim.Adam(agent.parameters(), lr=2e-3)
    curve = []
    for n in range(trials):
        trial = Trial(agent)
        opt.zero_grad()
        per_episode = []
        for e in range(EPISODES):
            loss, got = trial.episode()
            loss.backward(retain_graph=e != EPISODES - 1)
            per_episode.append(got)
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        opt.step()
        curve.append(per_episode)
        if n % 70 == 69:
            print(n + 1, [round(sum(c) / 70, 3) for c in zip(*curve[-70:])])


torch.manual_seed(55)
learn()
