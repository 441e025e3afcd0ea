# gradwatch-corpus: kind=none
"""Splitting a parent order over ten slices with a learned schedule; the market impact model is differentiable."""
import torch
from torch import nn

from book import ExecutionBook, MarketSimulator
from policy import PolicyAndBaseline


class ExecutionTrainer:
    slices = 10

    def __init__(self, lr_policy=1e-3, lr_value=3e-3):
        self.net = PolicyAndBaseline()
        self.market = MarketSimulator(batch=16)
        self.book = ExecutionBook(capacity=512)
        self.opt_policy = torch.optim.Adam(self.net.policy_parameters(), lr=lr_policy)
        self.opt_value = torch.optim.RMSprop(self.net.value.parameters(), lr=lr_value)
        self.last_rollout = None

    def rollout(self):
        remaining, impact, signal = self.market.open()
        cost, features, pace = 0.0, [], []
        for k in range(self.slices):
            left = self.slices - k
            obs = torch.stack([remaining, impact, signal, torch.full_like(signal, left / self.slices)], dim=1)
            h, fraction = self.net(obs)
            if left == 1:
                fraction = torch.ones_like(fraction)
            traded = fraction * remaining
            impact = self.market.impact(impact, traded)
            cost = cost + traded * (impact - 0.05 * signal)
            remaining = remaining - traded
            signal = self.market.next_signal(signal)
            features.append(h)
            pace.append(traded)
        return cost, torch.stack(features, 1), torch.stack(pace, 1)

    def previous_pace(self, like):
        """Average schedule of the rollout before this one; new schedules should not jump about."""
        if self.last_rollout is None:
            return torch.full_like(like, 1.0 / self.slices)
        return self.last_rollout.detach()

    def step(self):
        cost, features, pace = self.rollout()
        mean_pace = pace.mean(0)
        steadiness = (mean_pace - self.previous_pace(mean_pace)).pow(2).sum()
        self.last_rollout = mean_pace
        predicted = self.net.value(features).squeeze(-1)
        value_loss = (predicted - cost.detach().unsqueeze(1)).pow(2).mean()
        policy_loss = cost.mean() + 0.5 * steadiness

        self.opt_policy.zero_grad()
        self.opt_value.zero_grad()
        # the trunk's features are in both
        (0.1 * value_loss).backward(retain_graph=True)
        policy_loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt_value.step()
        self.opt_policy.step()

        self.book.record(pace.detach(), cost.detach())
        return policy_loss.item(), value_loss.item()


def main(steps=230):
    torch.manual_seed(90)
    trainer = ExecutionTrainer()
    for step in range(steps):
        policy_loss, value_loss = trainer.step()
        if step % 46 == 0:
            print(f"{step:4d} cost {policy_loss:.4f} value {value_loss:.4f} | {trainer.book.describe()}")


if __name__ == "__main__":
    main()
