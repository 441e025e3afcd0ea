# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state | listener.state | self.session.state | model.session.state | session.state
# first-bad: 10
"""Next-song ranking with BPR over a GRU session state; every tenth batch closes a listening session block.

Reimplementation of the baseline of our recommender seminar.
"""
import torch

from losses import bpr, l2_of
from model import PlaylistRanker
from songs import listening


def run(steps=240, block=10):
    torch.manual_seed(64)
    model = PlaylistRanker(songs=300, width=24, users=16)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    hits = []
    for step, (heard, liked, skipped) in enumerate(listening(steps, users=16, songs=300, seed=1)):
        closes_block = step % block == block - 1
        pos, neg, used = model(heard, liked, skipped, update=closes_block)
        loss = bpr(pos, neg) + 1e-4 * l2_of(used)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits.append((pos > neg).float().mean().item())
        if step % 60 == 59:
            print(f"step {step + 1}: loss {loss.item():.4f}, ranked right {sum(hits[-60:]) / 60:.3f}")


if __name__ == "__main__":
    run()
