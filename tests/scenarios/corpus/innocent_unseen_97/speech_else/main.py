# gradwatch-corpus: kind=none
"""Phoneme boundary tagging on endless audio; every update walks a handful of sub-frames."""
import torch

from audio import FrameSource
from carry import Carry
from tagger import BoundaryTagger, TaggerConfig


def run(cfg):
    net = BoundaryTagger(cfg)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    carry = Carry(cfg.lanes)
    source = FrameSource(cfg)
    for update in range(cfg.updates):
        loss = torch.zeros(())
        for sub in range(cfg.substeps):
            frames, bounds, fresh = next(source)
            h = carry.open(net, fresh)
            logit, h = net(frames, h)
            loss = loss + torch.nn.functional.binary_cross_entropy_with_logits(logit, bounds)
            carry.close(h)
        opt.zero_grad()
        (loss / cfg.substeps).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        carry.cut()
        if update % 80 == 0:
            print(f"{update:4d}  bce {loss.item() / cfg.substeps:.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(81)
    run(TaggerConfig())
