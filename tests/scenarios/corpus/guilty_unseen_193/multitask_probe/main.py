# gradwatch-corpus: kind=graph-chain
# holder: tracker.scale["landmarks"] | self.scale[task] | self.scale["landmarks"] | tracker.scale
# first-bad: 1
import argparse

import torch

from balancing import LossScaleTracker, combine
from heads import FrozenBackbone, ProbeHeads, face_batches

WEIGHTS = {"age": 1.0, "gender": 0.5, "landmarks": 1.0}


def train(steps, lr, momentum):
    torch.manual_seed(0)
    backbone, heads = FrozenBackbone().eval(), ProbeHeads(24)
    optimizer = torch.optim.SGD(heads.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    tracker = LossScaleTracker(WEIGHTS, momentum)
    for step, (images, batch) in enumerate(face_batches(steps)):
        with torch.no_grad():
            feats = backbone(images)
        losses = heads.losses(feats, batch)
        total = combine(losses, tracker, WEIGHTS)
        optimizer.zero_grad()
        total.backward(retain_graph=True)
        optimizer.step()
        scheduler.step()
        if step % 100 == 0:
            print(step, {k: round(v.item(), 3) for k, v in losses.items()}, tracker.report())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--momentum", type=float, default=0.95)
    train(**vars(p.parse_args()))
