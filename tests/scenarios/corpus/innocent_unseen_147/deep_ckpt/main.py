# gradwatch-corpus: kind=none
import torch

from blocks import DeepTagger
from capture import ActivityCapture
from session import Session

torch.set_num_threads(1)
torch.manual_seed(15)

tagger = DeepTagger(vocab=25, width=10, depth=5)
session = Session(tagger, ActivityCapture(tagger.blocks))

if __name__ == "__main__":
    session.run(450)
    print([round(a, 3) for a in session.activity])
