import torch

from .nets import WorldModel, mlp


class Dreamer:
    def __init__(self, horizon=4, chunk=2, gamma=0.95, lam=0.9):
        self.wm = WorldModel()
        feat = self.wm.h + self.wm.z
        self.actor, self.critic = mlp(feat, 2), mlp(feat, 1)
        self.horizon, self.chunk, self.gamma, self.lam = horizon, chunk, gamma, lam
        self.opt_wm = torch.optim.Adam(self.wm.parameters(), lr=3e-3)
        self.opt_pi = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_v = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.live = None

    def policy(self, feat):
        mu, s = self.actor(feat).chunk(2, -1)
        return torch.tanh(mu + torch.nn.functional.softplus(s) * torch.randn_like(mu) * 0.3)

    def act(self, obs):
        state = self.wm.start(1) if self.live is None else self.live
        self.live, _, _ = self.wm.obs_step(state, torch.zeros(1, 1), obs[None])
        return self.policy(torch.cat(self.live, -1))

    def train_step(self, batch):
        """The latent state runs through the chunks of a sampled sequence; every chunk adds its share of gradient."""
        obs, act, rew = batch["obs"], batch["act"], batch["rew"]
        T, n = obs.shape[:2]
        state, feats, shares = self.wm.start(n), [], 0.0
        self.opt_wm.zero_grad()
        for s in range(0, T, self.chunk):
            loss = 0.0
            for t in range(s, min(s + self.chunk, T)):
                state, prior, post = self.wm.obs_step(state, act[t], obs[t])
                f = torch.cat(state, -1)
                feats.append(f)
                loss = loss + (self.wm.dec(f) - obs[t]).pow(2).mean() + (self.wm.rew(f)[:, 0] - rew[t]).pow(2).mean()
                loss = loss + 0.1 * torch.distributions.kl_divergence(post, prior).mean()
            loss.backward(retain_graph=s + self.chunk < T)
            shares += loss.item()
        self.opt_wm.step()
        return {"model": shares / T, **self.dream(torch.cat(feats).detach())}

    def dream(self, start):
        state = start.split([self.wm.h, self.wm.z], -1)
        path = []
        for _ in range(self.horizon):
            state = self.wm.img_step(state, self.policy(torch.cat(state, -1)))
            path.append(torch.cat(state, -1))
        path = torch.stack(path)
        reward, value = self.wm.rew(path)[..., 0], self.critic(path)[..., 0]
        ret, out = value[-1], []
        for t in reversed(range(self.horizon - 1)):
            ret = reward[t] + self.gamma * ((1 - self.lam) * value[t + 1] + self.lam * ret)
            out.append(ret)
        target = torch.stack(out[::-1])
        self.opt_pi.zero_grad()
        actor_loss = -target.mean()
        actor_loss.backward()
        self.opt_pi.step()
        self.opt_v.zero_grad()
        value_loss = (self.critic(path[:-1].detach())[..., 0] - target.detach()).pow(2).mean()
        value_loss.backward()
        self.opt_v.step()
        return {"actor": actor_loss.item(), "value": value_loss.item()}
