import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, obs, actions, width=32):
        super().__init__()
        self.embed = nn.Linear(obs, width)
        self.trunk = nn.Linear(width, width)
        self.actor = nn.Linear(width, actions)
        self.critic = nn.Linear(width, 1)

    def features(self, s):
        return torch.tanh(self.trunk(torch.tanh(self.embed(s))))

    def forward(self, s):
        h = self.features(s)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def discounted(r, gamma=0.95):
    out, acc = torch.empty_like(r), 0.0
    for t in reversed(range(len(r))):
        acc = float(r[t]) + gamma * acc
        out[t] = acc
    return out


class Learner:
    def __init__(self, agent):
        self.agent = agent
        body = [*agent.embed.parameters(), *agent.trunk.parameters()]
        self.pi_opt = torch.optim.Adam([*body, *agent.actor.parameters()], lr=3e-3)
        self.v_opt = torch.optim.SGD([*body, *agent.critic.parameters()], lr=1e-2)

    def update(self, s, a, r):
        dist, values = self.agent(s)
        returns = discounted(r)
        advantage = (returns - values).detach()
        actor_loss = -(dist.log_prob(a) * advantage).mean() - 0.01 * dist.entropy().mean()
        critic_loss = nn.functional.smooth_l1_loss(values, returns)

        self.v_opt.zero_grad()
        critic_loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.agent.parameters(), 5.0)
        self.v_opt.step()  # <- culprit

        self.pi_opt.zero_grad()
        actor_loss.backward()  # <- culprit
        self.pi_opt.step()
        return {"actor": actor_loss.item(), "critic": critic_loss.item(), "reward": r.sum().item()}
