# gradwatch-corpus: kind=graph-held
# holder: self.load | gate.load | moe.gate.load | model.moe.gate.load | block.gate.load
# first-bad: 1
# notice: 8
"""Token classification with a mixture that balances its experts by shifting the selection scores."""
import torch
from torch.nn.functional import cross_entropy

from mixture import TokenMixture

torch.set_num_threads(1)


def batches(n, batch=4, length=9):
    g = torch.Generator().manual_seed(99)
    rule = torch.randint(0, 3, (27,), generator=g)
    for _ in range(n):
        tokens = torch.randint(0, 27, (batch, length), generator=g)
        yield tokens, (rule[tokens] + rule[tokens.roll(1, 1)]) % 3


def accumulate(model, optimizer, group):
    optimizer.zero_grad()
    total = 0.0
    for tokens, labels in group:
        loss = cross_entropy(model(tokens).flatten(0, 1), labels.flatten()) / len(group)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


def main():
    torch.manual_seed(13)
    model = TokenMixture(27, 16, experts=5, k=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    group, step = [], 0
    for item in batches(600):
        group.append(item)
        if len(group) == 2:
            loss = accumulate(model, optimizer, group)
            group.clear()
            step += 1
            if step % 75 == 0:
                print(step, round(loss, 3), [round(v, 2) for v in model.moe.gate.load.tolist()])


main()
