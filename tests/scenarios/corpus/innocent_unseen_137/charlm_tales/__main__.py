# gradwatch-corpus: kind=none
"""Character model over a made-up tale, truncated back-propagation."""
import torch

torch.set_num_threads(1)

from .lm import CharLM
from .train import Runner


torch.manual_seed(3)
words = "the fox sees a hen and the hen sees a fox so they run to the barn ".split(" ")
picks = torch.randint(0, len(words), (900,))
text = " ".join(words[i] for i in picks)
vocab = sorted(set(text))
ids = torch.tensor([vocab.index(c) for c in text])
Runner(CharLM(len(vocab), 16), lanes=4, window=8).fit(ids, passes=5)
