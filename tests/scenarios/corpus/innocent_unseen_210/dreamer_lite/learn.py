import torch
from torch import nn
from torch.distributions import kl_divergence

from rssm import State


class WorldModelTrainer:
    def __init__(self, model):
        self.model = model
        self.actor = nn.Sequential(nn.Linear(model.hd + model.zd, 32), nn.ELU(), nn.Linear(32, 2), nn.Tanh())
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=5e-4)
        self.state = None
        self.best_dream = float("-inf")

    def train_chunk(self, chunk):
        obs, act, first = chunk
        if self.state is None:
            self.state = self.model.initial(obs.shape[1])
        state, states, rec, kl = self.state, [], 0.0, 0.0
        for o, a, f in zip(obs, act, first):
            state, p, q = self.model.observe(state, a, o, f)
            rec = rec + (self.model.dec(state.feat) - o).pow(2).mean()
            kl = kl + kl_divergence(q, p).sum(-1).mean().clamp(min=0.1)
            states.append(state)
        loss = (rec + 0.1 * kl) / len(obs)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.state = state.map(torch.Tensor.detach)
        dream = self.train_actor(states)
        return {"loss": loss.item(), "dream": dream}

    def train_actor(self, states):
        s = State(torch.cat([x.h for x in states]).detach(), torch.cat([x.z for x in states]).detach())
        ret = 0.0
        for k in range(4):
            s, _ = self.model.imagine(s, self.actor(s.feat))
            ret = ret + 0.95 ** k * -self.model.dec(s.feat).pow(2).mean()
        params = list(self.actor.parameters())
        for p, g in zip(params, torch.autograd.grad(-ret, params)):
            p.grad = g
        self.actor_opt.step()
        self.best_dream = max(self.best_dream, ret.item())
        return ret.item()
