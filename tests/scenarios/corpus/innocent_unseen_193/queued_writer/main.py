# gradwatch-corpus: kind=none
import torch
from torch import nn

from writer import EventWriter


class Policy(nn.Module):
    def __init__(self, arms=6, ctx=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(ctx, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, arms), nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def train(steps=450, batch=32):
    torch.manual_seed(0)
    theta = torch.randn(8, 6)
    policy, writer = Policy(), EventWriter()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    baseline = torch.zeros(())
    for step in range(steps):
        ctx = torch.randn(batch, 8)
        dist, value = policy(ctx)
        action = dist.sample()
        reward = (ctx @ theta).gather(1, action[:, None]).squeeze(1)
        baseline = 0.95 * baseline + 0.05 * reward.mean()
        adv = reward - baseline - value.detach()
        pg = -(dist.log_prob(action) * adv).mean()
        vloss = (value - (reward - baseline)).pow(2).mean()
        entropy = dist.entropy().mean()
        loss = pg + 0.5 * vloss - 0.01 * entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        for tag, v in {"pg": pg, "value": vloss, "entropy": entropy, "reward": reward.mean()}.items():
            writer.add_scalar(tag, v, step)
        writer.step_end(step)
        if step % 100 == 99:
            print(step + 1, {k: round(h[-1][1], 3) for k, h in writer.history.items()})
    writer.flush()


if __name__ == "__main__":
    train()
