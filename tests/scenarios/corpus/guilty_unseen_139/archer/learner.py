import torch


class WindLearner:
    """Aims a bow in gusts; the shot's score is differentiable in the aim."""

    def __init__(self, policy, baseline):
        self.policy, self.baseline = policy, baseline
        self.opt = torch.optim.SGD(policy.parameters(), lr=0.01)
        self.gust = torch.tensor([0.5, -0.4, 0.1, 0.2])

    def volley(self, n):
        obs = torch.randn(n, 4)
        dist = self.policy(obs)
        aim = dist.rsample()
        score = -(aim - obs @ self.gust).square()
        edge = score - self.baseline(score)  # <- culprit
        loss = -score.mean() - 0.1 * (edge * dist.log_prob(aim.detach())).mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return score.mean().item()
