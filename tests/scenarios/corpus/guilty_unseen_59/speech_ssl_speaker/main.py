# gradwatch-corpus: kind=second-backward
# holder: ctx._pooled | self._pooled
# first-bad: 6
# notice: 0
"""Speaker-invariant keyword embeddings.

A conv encoder over log-mel frames feeds a keyword classifier; after a short
warm-up a speaker adversary (gradient reversal) joins the objective list.
"""
import argparse

import torch

from encoder import FrameEncoder
from objectives import KeywordObjective, SpeakerAdversary, StepContext


def synthetic_utterances(n_batches, batch, frames, mels, keywords, speakers, seed):
    g = torch.Generator().manual_seed(seed)
    kw_proto = torch.randn(keywords, mels, generator=g)
    sp_proto = torch.randn(speakers, mels, generator=g)
    for _ in range(n_batches):
        kw = torch.randint(keywords, (batch,), generator=g)
        sp = torch.randint(speakers, (batch,), generator=g)
        base = kw_proto[kw] + 0.5 * sp_proto[sp]
        noise = torch.randn(batch, frames, mels, generator=g)
        yield {"mel": base[:, None, :] + 0.4 * noise, "keyword": kw, "speaker": sp}


class Trainer:
    def __init__(self, encoder, objectives, lr):
        self.encoder = encoder
        self.objectives = objectives
        params = list(encoder.parameters())
        for obj in objectives:
            params += list(obj.parameters())
        self.optimizer = torch.optim.AdamW(params, lr=lr)

    def train_step(self, step, batch):
        self.optimizer.zero_grad(set_to_none=True)
        ctx = StepContext(self.encoder, batch, step)
        report = {}
        for obj in self.objectives:
            if obj.is_active(step):
                report[obj.name] = obj.run(ctx)
        torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), 5.0)
        self.optimizer.step()
        return report


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=80)
    ap.add_argument("--adversary-from", type=int, default=6)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)

    encoder = FrameEncoder(mels=20, width=24)
    objectives = [
        KeywordObjective(24, 6),
        SpeakerAdversary(24, 5, start=args.adversary_from, weight=0.2),
    ]
    trainer = Trainer(encoder, objectives, args.lr)
    stream = synthetic_utterances(args.steps, 16, 30, 20, 6, 5, args.seed)
    for step, batch in enumerate(stream):
        report = trainer.train_step(step, batch)
        if step % 5 == 0:
            print(step, {k: round(v, 4) for k, v in report.items()})


if __name__ == "__main__":
    main()
