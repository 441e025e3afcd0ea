# gradwatch-corpus: kind=none
"""Ad placement bandit: clicks are attributed several rounds after the impression."""
import torch
from torch import nn


class LinearPolicy(nn.Module):
    def __init__(self, dim, arms):
        super().__init__()
        self.score = nn.Linear(dim, arms)

    def forward(self, ctx):
        return torch.distributions.Categorical(logits=self.score(ctx))


class Attribution:
    """Impressions that wait for their click or their timeout."""

    def __init__(self, timeout):
        self.timeout = timeout
        self.open = {}

    def show(self, ticket, round_no, log_prob, due):
        self.open[ticket] = (round_no, min(due, round_no + self.timeout), log_prob)

    def settle(self, round_no):
        ripe = [t for t, (_, due, _) in self.open.items() if due <= round_no]
        for ticket in ripe:
            shown, due, log_prob = self.open.pop(ticket)
            yield ticket, due - shown < self.timeout, log_prob


class Market:
    def __init__(self, dim, arms, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(arms, dim, generator=self.gen)
        self.dim = dim

    def visitor(self, n):
        return torch.randn(n, self.dim, generator=self.gen)

    def click(self, ctx, arm):
        p = torch.sigmoid((self.taste[arm] * ctx).sum(-1))
        return (torch.rand(p.shape, generator=self.gen) < p).float()

    def delay(self):
        return int(torch.randint(1, 26, (), generator=self.gen))


def main(rounds=600):
    torch.manual_seed(0)
    market = Market(10, 5, seed=77)
    policy = LinearPolicy(10, 5)
    opt = torch.optim.SGD(policy.parameters(), lr=0.05)
    waiting = Attribution(timeout=20)
    clicks = {}
    baseline = 0.5
    for r in range(rounds):
        ctx = market.visitor(16)
        dist = policy(ctx)
        arm = dist.sample()
        waiting.show(f"imp-{r}", r, dist.log_prob(arm), r + market.delay())
        clicks[f"imp-{r}"] = market.click(ctx, arm)

        losses = []
        for ticket, in_time, log_prob in waiting.settle(r):
            reward = clicks.pop(ticket) * float(in_time)
            losses.append(-((reward - baseline) * log_prob).mean())
            baseline += 0.02 * (reward.mean().item() - baseline)
        if losses:
            opt.zero_grad()
            torch.stack(losses).sum().backward()
            opt.step()
        if r % 100 == 0:
            print(f"round {r}  open {len(waiting.open)}  baseline {baseline:.3f}")


if __name__ == "__main__":
    main()
