# gradwatch-corpus: kind=none
"""Contrastive predictive coding on synthetic speech frames: frame encoder under checkpointing, GRU context,
k-step predictors, negatives from the batch and from a fixed-size ring of past codes."""
import torch

from model import CPC, NegativeRing
from probes import LastOutput
from speech import utterances


def train(steps=220):
    torch.manual_seed(55)
    model = CPC(frame=16, code=24, context=32, horizon=3)
    ring = NegativeRing(size=256, dim=24)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    probe = LastOutput(model.context)
    carried = None
    losses = []
    for step, (frames, fresh) in zip(range(steps), utterances(batch=8, frames=20, frame=16, seed=55)):
        if carried is not None:
            carried = torch.where(fresh[None, :, None], torch.zeros_like(carried), carried)
        loss, codes, carried = model(frames, carried, ring)
        loss = loss + 1e-3 * probe.take()[0].square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        carried = carried.detach()
        ring.push(codes)
        losses.append(loss.item())
        if step % 40 == 0:
            print(f"{step:4d}  nce {losses[-1]:.3f}  ring {ring.count}")
    probe.close()
    return losses


if __name__ == "__main__":
    out = train()
    print(f"first ten {sum(out[:10]) / 10:.3f}, last ten {sum(out[-10:]) / 10:.3f}")
