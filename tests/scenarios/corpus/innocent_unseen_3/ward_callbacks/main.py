# gradwatch-corpus: kind=none
# about: odd accumulation (5 of 77 batches, remainder flushed), hook keeps only the newest maps with graph, EMA, top-3 checkpoints, floats
from callbacks import Averages, CheckpointShelf, Console, Saliency, WeightAverage
from engine import Engine
from scans import ScanSource, ScanNet

import torch

torch.manual_seed(26)
shelf = CheckpointShelf(keep=3, every=30)
engine = Engine(
    ScanNet(), ScanSource(n=616, batch=8), accumulate=5,
    plugins=[Averages(), Saliency("features", weight=1e-3), WeightAverage(.98), shelf, Console(every=20)])
engine.fit(epochs=12)
print("kept", sorted((round(s, 4), e) for s, e, _ in shelf.heap))
