import torch
import torch.nn as nn


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, o))


class BaseAgent(nn.Module):
    """An agent yields its objectives one after another; update() sums their gradients and steps once."""

    def objectives(self, segment):
        raise NotImplementedError

    def configure(self, lr):
        self.opt = torch.optim.Adam(self.parameters(), lr=lr)
        self.updates = 0

    def update(self, segment):
        logs = {}
        self.opt.zero_grad()
        for name, loss in self.objectives(segment):
            loss.backward()  # <- culprit
            logs[name] = loss.item()
        nn.utils.clip_grad_norm_(self.parameters(), 50.0)
        self.opt.step()
        self.updates += 1
        return logs


class WorldModel(nn.Module):
    def __init__(self, d_obs, d_act, d=48):
        super().__init__()
        self.embed = mlp(d_obs, d)
        self.cell = nn.GRUCell(d + d_act, d)
        self.predict = nn.GRUCell(d_act, d)
        self.decode = mlp(d, d_obs)
        self.reward = mlp(d, 1)
        self.d = d

    def observe(self, seg):
        h = seg.obs.new_zeros(seg.obs.size(1), self.d)
        states = []
        for o, a in zip(self.embed(seg.obs), seg.act):
            h = self.cell(torch.cat([o, a], dim=-1), h)
            states.append(h)
        return torch.stack(states)

    def loss(self, post, seg):
        image = (self.decode(post) - seg.obs).square().mean()
        reward = (self.reward(post).squeeze(-1) - seg.reward).square().mean()
        ahead = self.predict(seg.act[1:].flatten(0, 1), post[:-1].flatten(0, 1))
        return image + reward + (ahead - post[1:].flatten(0, 1).detach()).square().mean()


class DreamAgent(BaseAgent):
    def __init__(self, d_obs, d_act, warmup, horizon=5):
        super().__init__()
        self.world = WorldModel(d_obs, d_act)
        self.actor = mlp(self.world.d, d_act)
        self.warmup, self.horizon = warmup, horizon
        self.configure(lr=8e-4)

    @property
    def dreaming(self):
        return self.updates >= self.warmup

    def dream(self, start):
        z, total = start, 0.0
        for k in range(self.horizon):
            z = self.world.predict(torch.tanh(self.actor(z)), z)
            total = total + 0.95 ** k * self.world.reward(z)
        return -total.mean()

    def objectives(self, segment):
        self.posterior = self.world.observe(segment)  # <- culprit
        yield "model", self.world.loss(self.posterior, segment)
        if self.dreaming:
            yield "actor", self.dream(self.posterior.flatten(0, 1))  # <- culprit
