# gradwatch-corpus: kind=graph-chain
# holder: engine.ctx.centroids | self.ctx.centroids | ctx.centroids | memory.table | self.memory.table | engine.memory.table | self.table
# first-bad: 1
# notice: 5
"""python main.py -- contrastive pretraining of the statute encoder (toy corpus)."""
import torch

from corpus import StatuteCorpus
from engine import Engine
from losses import LOSSES  # noqa: F401  (fills the registry)

CFG = dict(vocab=300, dim=24, n_topics=9, iters=126, batch=32, lr=3e-3, loss="centroid_nce", tau=0.2, momentum=0.9)

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(CFG.get("seed", 404))
    corpus = StatuteCorpus(CFG["vocab"], CFG["n_topics"])
    engine = Engine(CFG)
    for it in range(CFG["iters"]):
        log = engine.run_iter(corpus.batch(CFG["batch"]))
        if it % 30 == 0:
            print(it, {k: round(v, 3) for k, v in log.items()})
    print("hit@1", engine.evaluate(corpus.batch(200)))
