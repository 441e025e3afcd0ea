import torch
from torch import nn
from torch.distributions import Categorical

class ActorCritic(nn.Module):
    def __init__(self, obs=3, hidden=24):
        super().__init__()
        self.trunk = nn.GRUCell(obs, hidden)
        self.actor = nn.Linear(hidden, 9)
        self.critic = nn.Linear(hidden, 1)

    def decide(self, obs, memory):
        memory = self.trunk(obs, memory)
        dist = Categorical(logits=self.actor(memory).view(-1, 3, 3))
        move = dist.sample()
        value = self.critic(memory).squeeze(-1)
        return move, dist.log_prob(move).sum(-1), dist.entropy().sum(-1), value, memory

class Learner:
    """Two optimizers; the trunk learns from both objectives, each clipped by itself."""

    def __init__(self, net, gamma=0.9):
        self.net, self.gamma = net, gamma
        self.policy_side = list(net.trunk.parameters()) + list(net.actor.parameters())
        self.value_side = list(net.critic.parameters())
        self.opt_policy = torch.optim.Adam(self.policy_side, lr=4e-3)
        self.opt_value = torch.optim.Adam(self.value_side, lr=1e-2)

    def _returns(self, rewards):
        out, running = [], torch.zeros_like(rewards[0])
        for r in rewards.flip(0):
            running = r + self.gamma * running
            out.append(running)
        return torch.stack(out[::-1])

    def learn(self, episode):
        values = episode.column("value")
        returns = self._returns(episode.column("reward"))
        advantage = (returns - values).detach()
        actor = -(advantage * episode.column("log_prob")).mean() - 5e-3 * episode.column("entropy").mean()
        if episode.slip_confidence is not None:
            actor = actor + 0.05 * episode.slip_confidence
        critic = (returns - values).square().mean()

        self.opt_policy.zero_grad()
        self.opt_value.zero_grad()
        actor.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.policy_side, 0.5)
        (0.5 * critic).backward()
        nn.utils.clip_grad_norm_(self.value_side, 1.0)
        self.opt_policy.step()
        self.opt_value.step()
        return {"actor": round(actor.item(), 4), "critic": round(critic.item(), 4)}
