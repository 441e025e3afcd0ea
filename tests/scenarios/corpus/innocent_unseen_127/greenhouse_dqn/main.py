# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn

from replay import Ring

torch.set_num_threads(1)
torch.manual_seed(62)

embed = nn.Sequential(nn.Linear(3, 12), nn.Tanh())
value = nn.Linear(12, 3)
q = nn.Sequential(embed, value)
frozen = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=2e-3)
ring = Ring(5000, features=12)


def climate(state, vent):
    temp, hum, sun = state.unbind()
    temp = 0.9 * temp + 0.3 * sun + (vent - 1) * 0.2
    hum = 0.9 * hum - 0.1 * vent + 0.05 * torch.randn(())
    sun = torch.rand(())
    return torch.stack([temp, hum, sun]), -(temp - 0.5).abs().item()


state = torch.zeros(3)
income = 0.0
for hour in range(900):
    features = embed(state)
    scores = value(features)
    vent = int(torch.randint(3, ())) if hour % 5 == 0 else scores.argmax().item()
    nxt, reward = climate(state, vent)
    ring.add(features.detach(), scores.detach()[vent], state, vent, reward, nxt)
    state = nxt
    income += reward
    if len(ring) < 20:
        continue
    s, a, r, s2 = ring.sample(16)
    with torch.no_grad():
        goal = r + 0.9 * frozen(s2).amax(1)
    td = nn.functional.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), goal)
    opt.zero_grad()
    td.backward()
    opt.step()
    if hour % 50 == 0:
        frozen.load_state_dict(q.state_dict())
    if hour % 180 == 0:
        print(hour, round(td.item(), 4), round(income / (hour + 1), 3), round(ring.novelty(), 3))
