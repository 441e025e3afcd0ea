# gradwatch-corpus: kind=none
# DDPG: charge battery when energy is cheap
import copy, random, math
from collections import deque
import torch
import torch.nn as nn
torch.set_num_threads(1)
random.seed(2); torch.manual_seed(2)

class Battery:
    def reset(self):
        self.soc = .5; self.t = random.randrange(24)
        return self.o()
    def price(self): return 1 + .5*math.sin(2*math.pi*self.t/24)
    def o(self): return torch.tensor([self.soc, self.price(), math.cos(2*math.pi*self.t/24)])
    def step(self, a):
        d = max(-self.soc, min(1 - self.soc, .2*a))
        r = -d*self.price(); self.soc += d; self.t += 1
        return self.o(), r

def mlp(i, o, last=None):
    l = [nn.Linear(i, 24), nn.ReLU(), nn.Linear(24, o)]
    return nn.Sequential(*l, *( [last] if last else [] ))

class Agent():
    def __init__(self):
        self.actor = mlp(3, 1, nn.Tanh()); self.critic = mlp(4, 1)
        self.actor_target = copy.deepcopy(self.actor); self.critic_target = copy.deepcopy(self.critic)
        for p in [*self.actor_target.parameters(), *self.critic_target.parameters()]:
            p.requires_grad_(False)
        self.oa = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.oc = torch.optim.Adam(self.critic.parameters(), 2e-3)
        self.memory = deque(maxlen=300)
    def act(self, s, noise):
        return (self.actor(s) + noise*torch.randn(1)).clamp(-1, 1).detach()
    def remember(self, *tr): self.memory.append(tr)
    def train(self, bs=24):
        s, a, r, s2 = (torch.stack(x) for x in zip(*random.sample(self.memory, bs)))
        q2 = self.critic_target(torch.cat([s2, self.actor_target(s2)], 1))
        y = r + .95*q2
        lc = ((self.critic(torch.cat([s, a], 1)) - y)**2).mean()
        self.oc.zero_grad(); lc.backward(); self.oc.step()
        la = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()
        self.oa.zero_grad(); la.backward(); self.oa.step()
        for net, tgt in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for p, t in zip(net.parameters(), tgt.parameters()):
                t.data.lerp_(p.data, .01)
        return lc, la

env, ag = Battery(), Agent()
closs = 0.
for ep in range(30):
    s = env.reset(); money = 0
    for h in range(24):
        a = ag.act(s, .3*(1 - ep/30))
        s2, r = env.step(a.item())
        ag.remember(s, a, torch.tensor([r]), s2)
        s = s2; money += r
        if len(ag.memory) > 48:
            lc, la = ag.train()
            closs = .99*closs + .01*lc.item()
    if ep % 6 == 0: print(ep, 'earned %.3f' % money, 'critic %.4f' % closs)
