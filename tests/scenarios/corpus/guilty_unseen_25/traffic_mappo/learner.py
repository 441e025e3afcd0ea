import torch
from torch import nn
from torch.distributions import Categorical


class Actor(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(a.obs, a.hidden), nn.ReLU(), nn.Linear(a.hidden, a.actions))

    def forward(self, o):
        return Categorical(logits=self.f(o))


class CentralCritic(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(a.obs * a.n_agents, a.hidden), nn.ReLU(), nn.Linear(a.hidden, a.n_agents))

    def forward(self, o):
        return self.f(o.flatten(-2))


class MAPPOLearner:
    def __init__(self, args):
        self.args = args
        self.actor, self.critic = Actor(args), CentralCritic(args)
        self.agent_optimiser = torch.optim.RMSprop(self.actor.parameters(), lr=args.lr)
        self.critic_optimiser = torch.optim.RMSprop(self.critic.parameters(), lr=args.lr)

    def gae(self, values, rewards):
        a, out, run = self.args, [], 0.0
        for t in reversed(range(rewards.size(0))):
            delta = rewards[t] + a.gamma * values[t + 1] - values[t]
            run = delta + a.gamma * a.lam * run
            out.append(run)
        return torch.stack(out[::-1])

    def train(self, batch):
        a = self.args
        values = self.critic(batch["obs"])
        advantages = self.gae(values, batch["rew"])  # <- culprit
        targets = (advantages + values[:-1]).detach()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)  # <- culprit
        for _ in range(a.mini_epochs):
            ratio = (self.actor(batch["obs"][:-1]).log_prob(batch["act"]) - batch["logp"]).exp()
            surr = torch.min(ratio * advantages, ratio.clamp(1 - a.clip, 1 + a.clip) * advantages)  # <- culprit
            pg_loss = -surr.mean()
            self.agent_optimiser.zero_grad()
            pg_loss.backward()
            self.agent_optimiser.step()
        for _ in range(a.mini_epochs):
            v_loss = (self.critic(batch["obs"][:-1]) - targets).square().mean()
            self.critic_optimiser.zero_grad()
            v_loss.backward()
            self.critic_optimiser.step()
        return {"pg": pg_loss.item(), "v": v_loss.item()}
