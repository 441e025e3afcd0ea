# gradwatch-corpus: kind=graph-held
# holder: self.sum | meters["train/loss"].sum | self.meters["train/loss"].sum | board.meters["train/loss"].sum
# first-bad: 1
# notice: 8
"""Supervised finetuning of a frozen char-LM with low-rank adapters."""
import torch
import torch.nn.functional as F

from .data import InstructionSet
from .layers import CharLM, inject_lora
from .meters import Board

torch.set_num_threads(1)
torch.manual_seed(141)


def sft_loss(model, ids, mask):
    logits = model(ids[:, :-1])
    ce = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
    keep = mask[:, 1:].flatten()
    return (ce * keep).sum() / keep.sum()


def main():
    lm = CharLM(vocab=23, width=24, depth=2)
    trainable = inject_lora(lm, rank=3, alpha=6)
    opt = torch.optim.AdamW(trainable, lr=3e-3)
    train, held_out = InstructionSet(480, seed=0), InstructionSet(24, seed=1)
    board = Board()
    for epoch in range(8):
        for ids, mask in train.batches(8):
            loss = sft_loss(lm, ids, mask)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trainable, 1.0)
            opt.step()
            board.log("train/loss", loss, ids.size(0))  # <- culprit
        with torch.no_grad():
            for ids, mask in held_out.batches(8):
                board.log("val/loss", sft_loss(lm, ids, mask), ids.size(0))
        print(epoch, board.summary())


main()
