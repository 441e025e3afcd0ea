import torch
from torch import nn
from torch.distributions import Categorical


class DispatchNet(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 48), nn.Tanh(), nn.Linear(48, 32), nn.Tanh())
        self.pi = nn.Linear(32, n_actions)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@torch.no_grad()
def gather(env, net, steps, gamma=0.95):
    keys = ("obs", "act", "logp", "val", "rew")
    store = {k: [] for k in keys}
    obs = env.observe()
    for _ in range(steps):
        dist, value = net(obs)
        act = dist.sample()
        reward = env.step(int(act))
        for k, v in zip(keys, (obs, act, dist.log_prob(act), value, torch.tensor(reward))):
            store[k].append(v)
        obs = env.observe()
    roll = {k: torch.stack(v) for k, v in store.items()}
    running = net(obs)[1]
    ret = []
    for r in roll["rew"].flip(0):
        running = r + gamma * running
        ret.append(running)
    roll["ret"] = torch.stack(ret).flip(0)
    adv = roll["ret"] - roll["val"]
    roll["adv"] = (adv - adv.mean()) / (adv.std() + 1e-6)
    return roll, roll["rew"].sum().item()
