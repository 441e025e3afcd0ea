# gradwatch-corpus: kind=none
# about: rewards come twelve rounds late: a queue keeps the log-probabilities of the last twelve
# about: decisions with their graphs until the click is known; a linear policy, so it is exact
from collections import deque

import torch
import torch.nn as nn
from parts.pace import ITERATIONS

DELAY = 12


class LinearPolicy(nn.Module):
    def __init__(self, context=8, arms=5):
        super().__init__()
        self.score = nn.Linear(context, arms)

    def decide(self, context):
        log_p = torch.log_softmax(self.score(context), dim=-1)
        arm = torch.multinomial(log_p.exp().detach(), 1).item()
        return arm, log_p[arm]


class World:
    def __init__(self, context=8, arms=5):
        self.best = torch.randn(context, arms)

    def context(self):
        return torch.randn(8)

    def click(self, context, arm):
        return float(torch.sigmoid(context @ self.best[:, arm]) > torch.rand(()))


def main():
    torch.manual_seed(0)
    world, policy = World(), LinearPolicy()
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.05)
    pending, clicks, baseline = deque(), 0.0, 0.5
    for round_ in range(4 * ITERATIONS):
        context = world.context()
        arm, log_p = policy.decide(context)
        pending.append((log_p, world.click(context, arm)))
        if len(pending) <= DELAY:
            continue
        then, click = pending.popleft()
        loss = -then * (click - baseline)
        baseline += 0.01 * (click - baseline)
        clicks += click
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if round_ % 150 == 149:
            print(
                f"round {round_ + 1}: {clicks / (round_ + 1 - DELAY):.4f} clicks, "
                f"loss {loss.item():.6f}"
            )


if __name__ == "__main__":
    main()
