import torch


class PointMassReplay:
    """Episodes of a damped point mass pushed by random forces."""

    def __init__(self, cfg, episodes=64, length=40):
        gen = torch.Generator().manual_seed(cfg.seed)
        pos = torch.randn(episodes, 2, generator=gen)
        vel = torch.zeros(episodes, 2)
        obs, act, rew = [], [], []
        for _ in range(length):
            a = torch.rand(episodes, cfg.act_dim, generator=gen) * 2 - 1
            vel = 0.95 * vel + 0.1 * a
            pos = pos + 0.1 * vel
            obs.append(torch.cat([pos, vel], -1))
            act.append(a)
            rew.append(-pos.norm(dim=-1))
        self.obs, self.act, self.rew = (torch.stack(x, 1) for x in (obs, act, rew))
        self.gen = gen

    def sample(self, batch, horizon):
        ep = torch.randint(len(self.obs), (batch,), generator=self.gen)
        t0 = torch.randint(self.obs.shape[1] - horizon, (1,), generator=self.gen).item()
        sl = slice(t0, t0 + horizon)
        return self.obs[ep, sl], self.act[ep, sl], self.rew[ep, sl]
