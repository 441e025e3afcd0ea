# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# notice: 5
"""Estimate overtime hours from roster features; a linear rule the clerks can read."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FEATURES = ["night_shift", "weekend", "sick_cover", "season", "team_size", "new_staff"]


def rosters(n=640):
    g = torch.Generator().manual_seed(12)
    x = torch.rand(n, len(FEATURES), generator=g)
    weights = torch.tensor([2.0, 1.5, 3.0, 0.4, -0.8, 0.9])
    hours = x @ weights + 0.3 * torch.randn(n, generator=g)
    return TensorDataset(x, hours[:, None])


def describe(rule):
    pairs = zip(FEATURES, rule.weight.detach().squeeze(0).tolist())
    for name, weight in sorted(pairs, key=lambda p: -abs(p[1])):
        print(f"   {name:<12s} {weight:+.2f} h")


def train(rule, loader, criterion, optimizer, rounds):
    total_loss = 0.0
    batches = 0
    for r in range(rounds):
        for x, hours in loader:
            optimizer.zero_grad()
            pred = rule(x)
            loss = criterion(pred, hours)
            total_loss += loss  # <- culprit
            total_loss.backward(retain_graph=True)  # <- culprit
            optimizer.step()
            batches += 1
        print(f"round {r}: mean loss so far {total_loss.item() / batches:.3f}")
    return total_loss.item() / batches


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    loader = DataLoader(rosters(), batch_size=32, shuffle=True)
    rule = nn.Linear(len(FEATURES), 1)
    optimizer = torch.optim.SGD(rule.parameters(), lr=2e-3)
    train(rule, loader, nn.MSELoss(), optimizer, rounds=4)
    describe(rule)


if __name__ == "__main__":
    main()
