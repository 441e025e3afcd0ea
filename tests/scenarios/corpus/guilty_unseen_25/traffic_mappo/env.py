import torch


class Junctions:
    """four signalled crossings in a row; queues grow at random, green empties one arm"""

    def __init__(self, args):
        self.args = args
        self.queue = torch.zeros(args.n_agents, args.obs)

    @torch.no_grad()
    def rollout(self, actor):
        a = self.args
        obs, act, logp, rew = [], [], [], []
        for _ in range(a.horizon):
            o = self.queue.clone()
            dist = actor(o)
            u = dist.sample()
            arrivals = (torch.rand_like(self.queue) < 0.4).float()
            served = torch.zeros_like(self.queue)
            served[torch.arange(a.n_agents), u] = 2.0
            self.queue = (self.queue + arrivals - served).clamp(0, 8)
            obs.append(o); act.append(u); logp.append(dist.log_prob(u)); rew.append(-self.queue.sum(1))
        obs.append(self.queue.clone())
        return dict(obs=torch.stack(obs), act=torch.stack(act), logp=torch.stack(logp), rew=torch.stack(rew))
