import torch
import torch.nn.functional as F


class Learner:
    """Keeps the losses of some episodes and steps on their sum."""

    def __init__(self, policy, gamma, lr):
        self.policy, self.gamma = policy, gamma
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.pending = []
        self.log = {"loss": [], "return": []}
        self.baseline = torch.zeros(())

    def end_episode(self):
        R, returns = 0.0, []
        for r in reversed(self.policy.rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        losses = []
        for (log_prob, value), ret in zip(self.policy.saved_actions, returns):
            advantage = ret - value.detach() - self.baseline
            losses.append(-log_prob * advantage + F.smooth_l1_loss(value, ret))
        self.pending.append(torch.stack(losses).sum())
        self.baseline = torch.lerp(self.baseline, (returns - self.policy.values()).mean(), 0.05)
        self.log["return"].append(returns[0])
        self.policy.clear()

    def update(self):
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.log["loss"].append(loss.detach())
        self.pending.clear()
        return {k: round(torch.stack(v[-20:]).mean().item(), 3) for k, v in self.log.items()}
