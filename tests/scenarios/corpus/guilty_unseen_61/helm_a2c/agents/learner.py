"""A2C update with one optimiser per head, so that their step sizes can be tuned apart."""
import torch
import torch.nn.functional as F


class Learner:
    def __init__(self, net, actor_delay=0, gamma=0.97, entropy=0.01):
        self.net, self.actor_delay, self.gamma, self.entropy = net, actor_delay, gamma, entropy
        trunk = list(net.trunk.parameters())
        self.value_opt = torch.optim.RMSprop(trunk + list(net.value.parameters()), lr=2e-3)
        self.policy_opt = torch.optim.RMSprop(net.policy.parameters(), lr=1e-3)

    @torch.no_grad()
    def returns(self, rollout):
        ret, out = self.net.evaluate(rollout["last_obs"]), []
        for r in reversed(rollout["reward"]):
            ret = r + self.gamma * ret
            out.append(ret)
        return torch.stack(out[::-1])

    def learn(self, it, rollout):
        target = self.returns(rollout)
        latent = self.net.trunk(rollout["obs"])
        value = self.net.value(latent).squeeze(-1)
        value_loss = F.smooth_l1_loss(value, target)
        self.value_opt.zero_grad()
        value_loss.backward()  # <- culprit
        self.value_opt.step()
        stats = {"value": round(value_loss.item(), 4)}
        if it >= self.actor_delay:
            stats["policy"] = self._improve(latent, rollout["action"], target - value.detach())
        return stats

    def _improve(self, latent, action, advantage):
        dist = torch.distributions.Categorical(logits=self.net.policy(latent))  # <- culprit
        gain = dist.log_prob(action) * advantage
        loss = -(gain + self.entropy * dist.entropy()).mean()
        self.policy_opt.zero_grad()
        loss.backward()  # <- culprit
        self.policy_opt.step()
        return round(loss.item(), 4)
