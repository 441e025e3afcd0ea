# gradwatch-corpus: kind=none
"""Small latent world model with an actor trained on imagined trajectories."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal


class Hyper:
    obs, act = 3, 1
    latent = 16
    hidden = 40
    capacity = 256
    seq = 8
    batch, imagine = 16, 6
    gamma, lam = 0.95, 0.9
    updates = 100


class EpisodeRing:
    def __init__(self, h, length=16):
        self.obs = torch.zeros(h.capacity, length, h.obs)
        self.act = torch.zeros(h.capacity, length, h.act)
        self.rew = torch.zeros(h.capacity, length)
        self.count = 0

    def add(self, obs, act, rew):
        n = len(obs)
        idx = torch.arange(self.count, self.count + n) % len(self.obs)
        self.obs[idx], self.act[idx], self.rew[idx] = obs, act, rew
        self.count += n

    def sample(self, h):
        i = torch.randint(min(self.count, len(self.obs)), (h.batch,))
        s = int(torch.randint(self.obs.shape[1] - h.seq + 1, (1,)))
        return self.obs[i, s:s + h.seq], self.act[i, s:s + h.seq], self.rew[i, s:s + h.seq]


class WorldModel(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.enc = nn.Linear(h.obs, h.latent)
        self.cell = nn.GRUCell(h.latent + h.act, h.latent)
        self.dec = nn.Linear(h.latent, h.obs)
        self.rew = nn.Sequential(nn.Linear(h.latent, h.hidden), nn.ELU(), nn.Linear(h.hidden, 1))

    def observe(self, obs, act):
        state = torch.zeros(obs.shape[0], self.cell.hidden_size)
        states = []
        for t in range(obs.shape[1]):
            state = self.cell(torch.cat([torch.tanh(self.enc(obs[:, t])), act[:, t]], -1), state)
            states.append(state)
        return torch.stack(states, 1)

    def imagine(self, state, action):
        return self.cell(torch.cat([torch.tanh(self.enc(self.dec(state))), action], -1), state)


class Dreamer:
    def __init__(self, h):
        self.h = h
        self.world = WorldModel(h)
        self.actor = nn.Sequential(nn.Linear(h.latent, h.hidden), nn.ELU(), nn.Linear(h.hidden, 2 * h.act))
        self.critic = nn.Sequential(nn.Linear(h.latent, h.hidden), nn.ELU(), nn.Linear(h.hidden, 1))
        self.opt = torch.optim.Adam([{"params": self.world.parameters(), "lr": 2e-3},
                                     {"params": self.actor.parameters(), "lr": 1e-3},
                                     {"params": self.critic.parameters(), "lr": 2e-3}])
        self.scale = torch.ones(())

    def act(self, state):
        mean, raw = self.actor(state).chunk(2, -1)
        return torch.tanh(Normal(mean, F.softplus(raw) + 0.1).rsample())

    def learn(self, obs, act, rew):
        h = self.h
        states = self.world.observe(obs, act)
        model_loss = (F.mse_loss(self.world.dec(states), obs)
                      + F.mse_loss(self.world.rew(states).squeeze(-1), rew))
        state = states[:, -1].detach()
        imagined, rewards = [state], []
        for _ in range(h.imagine):
            state = self.world.imagine(state, self.act(state))
            imagined.append(state)
            rewards.append(self.world.rew(state).squeeze(-1))
        values = self.critic(torch.stack(imagined)).squeeze(-1)
        ret, returns = values[-1], []
        for t in reversed(range(h.imagine)):
            ret = rewards[t] + h.gamma * ((1 - h.lam) * values[t + 1] + h.lam * ret)
            returns.insert(0, ret)
        returns = torch.stack(returns)
        self.scale = self.scale.lerp(returns.detach().std(), 0.05)
        actor_loss = -(returns / self.scale.clamp(min=1.0)).mean()
        critic_loss = F.mse_loss(self.critic(torch.stack(imagined[:-1]).detach()).squeeze(-1),
                                 returns.detach())

        self.opt.zero_grad()
        actor_loss.backward(inputs=list(self.actor.parameters()))
        (model_loss + critic_loss).backward()
        nn.utils.clip_grad_norm_([p for g in self.opt.param_groups for p in g["params"]], 10.0)
        self.opt.step()
        return {"model": model_loss.item(), "actor": actor_loss.item(), "critic": critic_loss.item()}


def swing(n, length=16):
    th, om = torch.rand(n) * 6.28 - 3.14, torch.randn(n)
    obs, act, rew = [], [], []
    for _ in range(length):
        u = torch.rand(n) * 2 - 1
        obs.append(torch.stack([th.cos(), th.sin(), om / 4], 1))
        act.append(u.unsqueeze(1))
        rew.append(th.cos() - 0.05 * om.square())
        om = (om + 0.1 * (-5 * th.sin() + 3 * u)).clamp(-6, 6)
        th = th + 0.1 * om
    return torch.stack(obs, 1), torch.stack(act, 1), torch.stack(rew, 1)


if __name__ == "__main__":
    torch.manual_seed(19)
    h = Hyper()
    ring, agent = EpisodeRing(h), Dreamer(h)
    ring.add(*swing(64))
    for u in range(h.updates):
        if u % 4 == 0:
            ring.add(*swing(8))
        logs = agent.learn(*ring.sample(h))
        if u % 20 == 0:
            print(u, " ".join(f"{k} {v:.3f}" for k, v in logs.items()))
