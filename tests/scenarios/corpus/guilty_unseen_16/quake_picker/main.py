# gradwatch-corpus: kind=graph-held
# holder: self.difficulty[bucket] | self.difficulty | curriculum.difficulty | curriculum.difficulty[bucket] | difficulty
# first-bad: 1
"""P-arrival picker on synthetic three-component traces. Batches come from noise buckets, the
harder of which are drawn more often as the picker improves (thesis, chapter 4)."""
import random

import torch

from curriculum import LossDrivenCurriculum
from picker import ArrivalNet, pick_loss
from traces import BUCKETS, synth_batch

ITERS = 230


def train(net, curriculum, optimizer, gen):
    for it in range(ITERS):
        bucket = curriculum.draw()
        wave, onset = synth_batch(BUCKETS[bucket], 12, gen)
        loss = pick_loss(net(wave), onset)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curriculum.feedback(bucket, loss)  # <- culprit
        if it % 46 == 45:
            print(f"it {it + 1:3d}  bucket {bucket}  loss {loss.item():.3f}  "
                  f"p={curriculum.describe()}")


def validate(net, gen):
    net.eval()
    rows = []
    with torch.no_grad():
        for noise in BUCKETS:
            wave, onset = synth_batch(noise, 48, gen)
            off = (net(wave).argmax(-1) - onset).abs().float().median()
            rows.append(f"noise {noise:.1f}: {off.item():.0f} samples")
    print("median pick error:", "; ".join(rows))


def main():
    random.seed(11)
    torch.manual_seed(11)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(12)
    net = ArrivalNet(channels=10)
    curriculum = LossDrivenCurriculum(len(BUCKETS), momentum=0.9, temperature=0.7)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1.5e-3)
    train(net, curriculum, optimizer, gen)
    validate(net, gen)


if __name__ == "__main__":
    main()
