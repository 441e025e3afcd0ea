# gradwatch-corpus: kind=second-backward
# holder: self._final | model._final | self.model._final
# first-bad: 1
import torch

from interactions import InteractionGraph, BPRBatches
from lightgcn import LightGCN
from fit import Recommender

CFG = {"users": 120, "items": 200, "dim": 16, "layers": 2, "epochs": 4, "batches": 30, "batch_size": 256, "seed": 8}


def main():
    torch.manual_seed(CFG["seed"])
    graph = InteractionGraph(CFG["users"], CFG["items"], per_user=8)
    model = LightGCN(graph, CFG["dim"], CFG["layers"])
    rec = Recommender(model, lr=5e-3, reg=1e-4)
    for epoch in range(CFG["epochs"]):
        loss = rec.fit_epoch(BPRBatches(graph, CFG["batch_size"], CFG["batches"]))
        print("epoch", epoch, "bpr", round(loss, 4), "recall@20", round(rec.recall(graph), 3))


if __name__ == "__main__":
    main()
