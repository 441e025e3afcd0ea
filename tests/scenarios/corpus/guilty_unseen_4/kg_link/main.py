# gradwatch-corpus: kind=second-backward
# holder: table
# first-bad: 1
"""Link prediction. The message-passing pass is the expensive part, so the entity table is
computed once per epoch and the scoring is mini-batched over it."""
import torch
import torch.nn.functional as F

from encoder import RelationalEncoder
from sampling import build, corrupt


def epoch(model, opt, facts, g, entities, size=150):
    table = model(facts)  # <- culprit
    tot = 0.0
    for rows in torch.randperm(len(facts), generator=g).split(size):
        pos = facts[rows]
        neg = corrupt(pos, entities, g)
        margin = model.score(table, pos) - model.score(table, neg)
        rank = F.softplus(-margin).mean()
        opt.zero_grad()
        rank.backward()
        opt.step()
        tot += rank.item()
    return tot


def main(epochs=15, entities=150):
    torch.manual_seed(4)
    facts, g = build(entities)
    model = RelationalEncoder(entities, 6)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for e in range(epochs):
        print(f"epoch {e} ranking loss {epoch(model, opt, facts, g, entities):.3f}")


if __name__ == "__main__":
    main()
