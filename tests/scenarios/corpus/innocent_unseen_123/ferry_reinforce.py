# gradwatch-corpus: kind=none
# Ferry timing by REINFORCE with a learned baseline; an episode's log-probabilities live until its end only.
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(160)


class Step(NamedTuple):
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: float


class Ferry:
    def reset(self):
        self.queue, self.t = 0.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.queue / 10, self.t / 15])

    def step(self, go):
        gain = min(self.queue, 8.0) - 3.0 if go else 0.0
        if go:
            self.queue = max(0.0, self.queue - 8.0)
        self.queue += float(torch.poisson(torch.tensor(2.0)))
        self.t += 1
        return self.obs(), gain - 0.1 * self.queue, self.t >= 15


class Captain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 12), nn.Tanh())
        self.act, self.val = nn.Linear(12, 2), nn.Linear(12, 1)

    def forward(self, o):
        h = self.body(o)
        return Categorical(logits=self.act(h)), self.val(h)[0]


def play(env, captain):
    o, done = env.reset(), False
    while not done:
        pi, value = captain(o)
        a = pi.sample()
        o, r, done = env.step(bool(a))
        yield Step(pi.log_prob(a), value, pi.entropy(), r)


def objective(voyage, gamma=0.95):
    ret, loss = 0.0, 0.0
    for s in reversed(voyage):
        ret = s.reward + gamma * ret
        adv = ret - s.value
        loss = loss - s.logp * adv.detach() + 0.5 * adv.square() - 0.01 * s.entropy
    return loss / len(voyage), ret


env, captain = Ferry(), Captain()
opt = torch.optim.Adam(captain.parameters(), lr=4e-3)
for episode in range(420):
    voyage = list(play(env, captain))
    loss, ret = objective(voyage)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 105 == 104:
        print(episode + 1, round(ret, 2))
