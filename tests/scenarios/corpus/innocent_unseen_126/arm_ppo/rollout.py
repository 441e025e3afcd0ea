import torch


class Arm:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos, self.goal = torch.zeros(self.n, 2), torch.randn(self.n, 2)

    def obs(self):
        return torch.cat([self.pos, self.goal], 1)

    def step(self, a):
        self.pos = self.pos + 0.3 * a.clamp(-1, 1)
        return -(self.pos - self.goal).norm(dim=1)


def collect(env, ac, horizon):
    env.reset()
    buf = {k: [] for k in ("obs", "act", "logp", "val", "rew")}
    for _ in range(horizon):
        o = env.obs()
        with torch.no_grad():
            dist, v = ac(o)
            a = dist.sample()
            lp = dist.log_prob(a).sum(1)
        for k, x in zip(buf, (o, a, lp, v, env.step(a))):
            buf[k].append(x)
    data = {k: torch.stack(v) for k, v in buf.items()}
    g, ret = torch.zeros(env.n), []
    for r in reversed(buf["rew"]):
        g = r + 0.9 * g
        ret.insert(0, g)
    data["ret"] = torch.stack(ret)
    return data
