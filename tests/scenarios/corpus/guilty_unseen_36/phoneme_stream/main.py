# gradwatch-corpus: kind=graph-chain
# holder: self.carry | model.carry | self.carry[1] | model.carry[1] | c | cell
# first-bad: 1
# Streaming phoneme recogniser on synthetic filterbanks, plain SGD as in the old LM examples.
import time

import torch
from torch import nn

from data import StreamSource
from net import StreamTagger

torch.set_num_threads(1)
torch.manual_seed(1)

CFG = {"streams": 6, "mel": 10, "hidden": 20, "phones": 8, "chunk": 5, "chunks": 80, "lr": 0.3, "clip": 1.0}


def sgd_(params, lr):
    for p in params:
        p.data.add_(p.grad, alpha=-lr)


def train():
    source = StreamSource(CFG["streams"], CFG["mel"], CFG["phones"], seed=4)
    model = StreamTagger(CFG["mel"], CFG["hidden"], CFG["phones"])
    params = list(model.parameters())
    criterion = nn.CrossEntropyLoss()
    model.start(CFG["streams"])

    began, shown = time.time(), []
    for i, (frames, phones) in enumerate(source.chunks(CFG["chunk"], CFG["chunks"])):
        model.zero_grad()
        logits = model(frames)
        loss = criterion(logits.flatten(0, 1), phones.flatten())
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(params, CFG["clip"])
        sgd_(params, CFG["lr"])
        shown.append(loss.item())
        if i % 20 == 19:
            print(f"chunk {i + 1:3d} | ce {sum(shown[-20:]) / 20:.3f} | {time.time() - began:.1f}s")


if __name__ == "__main__":
    train()
