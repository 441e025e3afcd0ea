from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Segment:
    logp: list = field(default_factory=list)
    entropy: list = field(default_factory=list)
    q: list = field(default_factory=list)
    q_all: list = field(default_factory=list)
    beta: list = field(default_factory=list)
    reward: list = field(default_factory=list)
    done: list = field(default_factory=list)

    def __getattr__(self, name):
        if name.startswith("s_"):
            return torch.stack(getattr(self, name[2:]))
        raise AttributeError(name)


class ReturnScale:
    def __init__(self, momentum=0.99):
        self.m = momentum
        self.second = torch.ones(())

    @torch.no_grad()
    def __call__(self, returns):
        self.second = self.m * self.second + (1 - self.m) * returns.square().mean()
        return self.second.sqrt() + 1e-4


class OptionCritic(nn.Module):
    def __init__(self, n_cells, n_actions, n_options, width=32, gamma=0.97):
        super().__init__()
        self.emb = nn.Embedding(n_cells, width)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.q = nn.Linear(width, n_options)
        self.term = nn.Linear(width, n_options)
        self.intra = nn.Linear(width, n_options * n_actions)
        self.n_options, self.n_actions, self.gamma = n_options, n_actions, gamma
        self.epsilon = 0.5
        self.scale = ReturnScale()
        self.opt = torch.optim.RMSprop(self.parameters(), lr=2e-3)

    def heads(self, cells):
        h = self.body(self.emb(cells))
        return self.q(h), torch.sigmoid(self.term(h)), self.intra(h).view(-1, self.n_options, self.n_actions)

    def choose(self, q):
        greedy = q.detach().argmax(-1)
        rand = torch.randint(0, self.n_options, greedy.shape)
        return torch.where(torch.rand(greedy.shape) < self.epsilon, rand, greedy)

    def act(self, env, option, seg):
        q, beta, intra = self.heads(env.cells())
        if option is None:
            option = self.choose(q)
        stop = torch.bernoulli(beta.detach().gather(1, option[:, None])).squeeze(1).bool()
        seg.beta.append(beta.gather(1, option[:, None]).squeeze(1))
        option = torch.where(stop, self.choose(q), option)
        pi = Categorical(logits=intra[torch.arange(len(option)), option])
        a = pi.sample()
        reward, done = env.step(a)
        seg.logp.append(pi.log_prob(a))
        seg.entropy.append(pi.entropy())
        seg.q.append(q.gather(1, option[:, None]).squeeze(1))
        seg.q_all.append(q.detach())
        seg.reward.append(reward)
        seg.done.append(done)
        return option

    def update(self, seg, last_cells, option):
        with torch.no_grad():
            q, beta, _ = self.heads(last_cells)
            b = beta.gather(1, option[:, None]).squeeze(1)
            ret = (1 - b) * q.gather(1, option[:, None]).squeeze(1) + b * q.max(-1).values
            targets = []
            for r, d in zip(reversed(seg.reward), reversed(seg.done)):
                ret = r + self.gamma * (1 - d) * ret
                targets.append(ret)
            target = torch.stack(targets[::-1])
        qs, q_all = seg.s_q, seg.s_q_all
        adv = (target - qs.detach()) / self.scale(target)
        gain = qs.detach() - q_all.max(-1).values + 0.01
        critic = 0.5 * (target - qs).square().mean()
        actor = -(adv * seg.s_logp).mean() - 0.01 * seg.s_entropy.mean()
        stop = (seg.s_beta * gain).mean()
        self.opt.zero_grad()
        (critic + actor + stop).backward()
        nn.utils.clip_grad_norm_(self.parameters(), 1.0)
        self.opt.step()
        return {"reward": seg.s_reward.mean().item(), "critic": critic.item(), "beta": seg.s_beta.mean().item()}
