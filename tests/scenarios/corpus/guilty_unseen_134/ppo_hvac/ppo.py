import torch

from storage import Storage


class PPO:
    def __init__(self, policy, env, conf):
        self.policy, self.env, self.conf = policy, env, conf
        self.opt = torch.optim.Adam(policy.parameters(), lr=conf.LR)

    def collect(self):
        rows = {k: [] for k in ("obs", "actions", "logps", "rewards", "values")}
        for _ in range(self.conf.STEPS):
            o = self.env.observe()
            d = self.policy.dist(o)
            a = d.sample()
            rows["obs"].append(o)
            rows["actions"].append(a)
            rows["logps"].append(d.log_prob(a).detach())
            rows["values"].append(self.policy.v(o))  # <- culprit
            rows["rewards"].append(self.env.apply(a))
        store = Storage(**{k: torch.stack(v) for k, v in rows.items()})
        return store.finish(self.policy.v(self.env.observe()), self.conf.GAMMA, self.conf.LAMBDA)

    def update(self):
        s = self.collect()
        for _ in range(self.conf.EPOCHS):
            d = self.policy.dist(s.obs)
            ratio = (d.log_prob(s.actions) - s.logps).exp()
            adv = (s.advantages - s.advantages.mean()) / (s.advantages.std() + 1e-8)
            c = self.conf.CLIP
            pg = -torch.minimum(ratio * adv, ratio.clamp(1 - c, 1 + c) * adv).mean()
            vf = (self.policy.v(s.obs) - s.returns).pow(2).mean()
            loss = pg + self.conf.VF * vf
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return round(s.rewards.mean().item(), 3)
