import torch


class Learner:
    def __init__(self, net, clip=0.2, epochs=4, minibatch=32):
        self.net, self.clip, self.epochs, self.minibatch = net, clip, epochs, minibatch
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)

    def update(self, buf, last_value):
        adv = buf.advantages(last_value)
        ret = (adv + torch.stack(buf.data["value"])).flatten()
        adv = adv.flatten()
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        obs, act, old = buf.flat("obs"), buf.flat("act"), buf.flat("logp")
        kls, vls = [], []
        for _ in range(self.epochs):
            for idx in torch.randperm(len(obs)).split(self.minibatch):
                dist, v = self.net(obs[idx])
                logr = dist.log_prob(act[idx]) - old[idx]
                r = logr.exp()
                pg = -torch.min(r * adv[idx], r.clamp(1 - self.clip, 1 + self.clip) * adv[idx]).mean()
                vl = (v - ret[idx]).square().mean()
                self.opt.zero_grad()
                (pg + 0.5 * vl - 0.005 * dist.entropy().mean()).backward()
                self.opt.step()
                kls.append(((r - 1) - logr).mean().detach())
                vls.append(vl.detach())
        return {
            "kl": torch.stack(kls).mean().item(),
            "vloss": torch.stack(vls).mean().item(),
            "reward": torch.stack(buf.data["rew"]).mean().item(),
        }
