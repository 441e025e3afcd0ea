# gradwatch-corpus: kind=graph-chain
# holder: self.rest[name] | self.rest | p.rest | self.plugins[1].rest | fit.plugins[1].rest
# first-bad: 1
"""Keyword spotting fine-tune with elastic averaging of the weights."""
import torch

from engine import Fit, Recipe
from nets import KeywordNet, utterances


def run(recipe=Recipe()):
    torch.manual_seed(recipe.seed)
    fit = Fit(KeywordNet(), recipe)
    for n, (mel, word) in zip(range(recipe.steps), utterances(recipe.seed)):
        value, right = fit.tick(mel, word)
        if n % 50 == 0:
            print(f"{n:4d}  objective {value:.4f}  batch acc {right:.2f}")
    print("done", fit.ticks)


if __name__ == "__main__":
    run()
