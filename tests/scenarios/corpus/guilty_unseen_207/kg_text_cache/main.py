# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch

from graph import TripleSampler, descriptions
from scorer import DistMult
from text import DescriptionEncoder


def main():
    torch.manual_seed(6)
    tokens = descriptions(n_entities=60, length=9)
    encoder = DescriptionEncoder(tokens, vocab=80, dim=16)
    scorer = DistMult(relations=4, dim=16)
    optim = torch.optim.Adagrad([*encoder.parameters(), *scorer.parameters()], lr=0.05)
    for step, (pos, neg) in enumerate(TripleSampler(60, 4, batch=32, steps=600)):
        table = encoder.entities
        margin = 1.0 - scorer(table, *pos) + scorer(table, *neg)
        loss = margin.clamp(min=0).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
