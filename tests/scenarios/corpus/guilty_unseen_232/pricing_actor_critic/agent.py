import torch

from nets import Actor, Critic


class PricingAgent:
    def __init__(self, cfg):
        n_in = cfg.signals + cfg.lanes
        self.cfg = cfg
        self.actor = Actor(n_in)
        self.critic = Critic(n_in)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.lr_actor)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr_critic)

    def act(self, obs):
        with torch.no_grad():
            margin = self.actor(obs)
        noise = self.cfg.explore * torch.randn_like(margin)
        return (margin + noise).clamp_min(0.0)

    def learn(self, it, batch, market):
        lane, obs = batch
        margin = self.act(obs)
        reward = market.settle(lane, obs, margin)
        critic_loss = (self.critic(obs, margin) - reward).pow(2).mean()
        actor_loss = None
        if it % self.cfg.actor_every == self.cfg.actor_every - 1:
            actor_loss = -self.critic(obs, self.actor(obs)).mean()  # <- culprit
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit
        if actor_loss is not None:
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()
        return {"critic": critic_loss.item(), "profit": reward.mean().item()}
