# gradwatch-corpus: kind=none
"""Streaming CTC recogniser: gradient accumulation, state carried over the chunks of a recording."""
import torch
from torch import nn

from recogniser import Recogniser, greedy, edit_distance
from recordings import Corpus


class AccumulatingTrainer:
    def __init__(self, net, lr, micro_batches, eval_every):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.ctc = nn.CTCLoss(blank=0, zero_infinity=True)
        self.micro_batches, self.eval_every = micro_batches, eval_every
        self.pending, self.updates = 0, 0
        self.window_loss = torch.zeros(())
        self.history = []

    def micro_step(self, feats, labels, lengths, memory):
        logp, memory = self.net(feats, memory)
        frames = torch.full((feats.size(1),), logp.size(0), dtype=torch.long)
        loss = self.ctc(logp, labels, frames, lengths)
        (loss / self.micro_batches).backward()
        self.window_loss += loss.detach() / self.micro_batches
        self.pending += 1
        if self.pending == self.micro_batches:
            self.flush()
        return memory.detach()

    def flush(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 3.0)
        self.opt.step()
        self.opt.zero_grad()
        self.history.append(self.window_loss.item())
        self.window_loss = torch.zeros(())
        self.pending = 0
        self.updates += 1

    def fit(self, corpus, recordings):
        for rec in corpus.stream(recordings):
            memory = None
            for feats, labels, lengths in rec:
                before = self.updates
                memory = self.micro_step(feats, labels, lengths, memory)
                if self.updates > before and self.updates % self.eval_every == 0:
                    self.report(corpus)

    @torch.no_grad()
    def report(self, corpus):
        self.net.eval()
        wrong = total = 0
        for rec in corpus.stream(2, held_out=True):
            memory = None
            for feats, labels, lengths in rec:
                logp, memory = self.net(feats, memory)
                for hyp, ref, n in zip(greedy(logp), labels, lengths):
                    wrong += edit_distance(hyp, ref[:n].tolist())
                    total += int(n)
        self.net.train()
        recent = self.history[-self.eval_every:]
        print(f"update {self.updates:3d}  ctc {sum(recent) / len(recent):.3f}  token error {wrong / total:.3f}")


def main():
    torch.manual_seed(12)
    corpus = Corpus(seed=12)
    net = Recogniser(corpus.bands, corpus.vocab)
    trainer = AccumulatingTrainer(net, lr=1.2e-2, micro_batches=4, eval_every=10)
    trainer.fit(corpus, recordings=72)


if __name__ == "__main__":
    main()
