# gradwatch-corpus: kind=graph-chain
# holder: self.baseline | agent.baseline
# about: the moving average that centres the loss is made of losses with their graphs
import torch
from torch import nn


class ContextualBandit:
    """Picks one of several arms, learns by REINFORCE with a moving baseline."""

    def __init__(self, n_features=12, n_arms=4, momentum=0.9):
        self.policy = nn.Linear(n_features, n_arms)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=1e-2)
        self.momentum = momentum
        self.baseline = torch.zeros(())

    def update(self, context, reward_of):
        dist = torch.distributions.Categorical(logits=self.policy(context))
        arm = dist.sample()
        reward = reward_of(arm)
        surrogate = (dist.log_prob(arm) * reward).mean()
        self.baseline = (
            self.momentum * self.baseline + (1 - self.momentum) * surrogate
        )  # <- culprit
        loss = -(surrogate - self.baseline)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        return reward.mean().item()


def main():
    torch.manual_seed(3)
    agent = ContextualBandit()
    for episode in range(60):
        context = torch.randn(16, 12)
        reward = agent.update(context, lambda arm: (arm == 2).float())
        if episode % 20 == 0:
            print(f"episode {episode} reward {reward:.2f}")


main()
