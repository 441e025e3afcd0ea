# gradwatch-corpus: kind=none
"""Secondary-structure tagger; micro-batches of unequal length, gradients accumulated over a window."""
import torch

from tagger.accumulate import Accumulator
from tagger.model import DilatedTagger
from tagger.pipeline import bucketed, proteins, padded
from tagger.recipe import Recipe
from tagger.session import Session


def main():
    torch.set_num_threads(1)
    recipe = Recipe()
    torch.manual_seed(recipe.seed)
    stream = padded(bucketed(proteins(recipe), recipe.micro))
    session = Session(recipe, DilatedTagger(recipe), Accumulator(recipe.accumulate))
    session.run(stream)
    print("updates", session.updates, "token acc %.3f" % session.accuracy(200))


if __name__ == "__main__":
    main()
