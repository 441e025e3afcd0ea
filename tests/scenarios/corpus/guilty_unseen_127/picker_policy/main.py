# gradwatch-corpus: kind=graph-held
# holder: self.slots | memory.slots | Move.logp | self.slots[-1].logp
# first-bad: 1
# notice: 8
import torch
from torch import nn
from torch.distributions import Categorical

from memory import Memory, Move
from shelves import Aisle

torch.set_num_threads(1)
torch.manual_seed(23)

actor = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 3))
critic = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=3e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=5e-3)
memory = Memory(capacity=100_000)
aisle = Aisle(bins=8)


def act(obs):
    dist = Categorical(logits=actor(obs))
    a = dist.sample()
    return a.item(), dist.log_prob(a)


def improve_critic(size=16):
    batch = memory.draw(size)
    obs = torch.stack([m.obs for m in batch])
    ret = torch.tensor([m.reward for m in batch])
    with torch.no_grad():
        now = Categorical(logits=actor(obs)).log_prob(torch.tensor([m.action for m in batch]))
        then = torch.stack([m.logp for m in batch])
        ratio = (now - then).exp().clamp(max=2.0)
    loss = (ratio * (critic(obs).squeeze(1) - ret) ** 2).mean()
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    return loss.item()


total = 0.0
obs = aisle.reset()
for tick in range(450):
    action, logp = act(obs)
    nxt, reward, done = aisle.step(action)
    with torch.no_grad():
        edge = reward - critic(obs).item()
    opt_a.zero_grad()
    (-logp * edge).backward()
    opt_a.step()
    memory.push(Move(obs, action, reward, logp))
    if tick % 4 == 3:
        c = improve_critic()
    total += reward
    obs = aisle.reset() if done else nxt
    if tick % 150 == 149:
        print("tick", tick + 1, "reward/tick", round(total / (tick + 1), 3), "critic", round(c, 4))
