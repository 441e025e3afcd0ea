# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 24)
        self.pi, self.v = nn.Linear(24, 4), nn.Linear(24, 1)

    def forward(self, s):
        h = torch.tanh(self.body(s))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Episode:
    def __init__(self):
        self.logp, self.value, self.reward, self.ent = [], [], [], []

    def add(self, dist, a, v, r):
        self.logp.append(dist.log_prob(a))
        self.ent.append(dist.entropy())
        self.value.append(v)
        self.reward.append(r)

    def losses(self, gamma=0.9):
        ret, out = 0.0, []
        for r in reversed(self.reward):
            ret = r + gamma * ret
            out.append(ret)
        ret = torch.tensor(out[::-1])
        value = torch.stack(self.value)
        adv = (ret - value).detach()
        actor = -(torch.stack(self.logp) * adv).mean() - 0.01 * torch.stack(self.ent).mean()
        return actor, 0.5 * (ret - value).square().mean()


def main():
    torch.manual_seed(12)
    ac = ActorCritic()
    opt = torch.optim.Adam(ac.parameters(), 3e-3)
    for ep in range(600):
        e = Episode()
        s = torch.randn(6)
        for _ in range(10):
            dist, v = ac(s)
            a = dist.sample()
            r = 1.0 if a.item() == s[:4].argmax().item() else 0.0
            e.add(dist, a, v, r)
            s = torch.randn(6)
        actor, critic = e.losses()
        opt.zero_grad()
        actor.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
        critic.backward()
        opt.step()
        if ep % 100 == 0:
            print(ep, sum(e.reward))


main()
