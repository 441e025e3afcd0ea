# gradwatch-corpus: kind=graph-chain
# holder: self.params | session.params | learner.params
# first-bad: 1
"""Online speaker adaptation: a stateless acoustic scorer whose weights live in a session."""
from typing import Dict, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

Params = Dict[str, torch.Tensor]


class Utterance(NamedTuple):
    frames: torch.Tensor
    phones: torch.Tensor


class UtteranceReader:
    def __init__(self, mels=24, phones=10, length=40, seed=8):
        self.gen = torch.Generator().manual_seed(seed)
        self.centroids = torch.randn(phones, mels, generator=self.gen)
        self.tilt = 0.5 * torch.randn(mels, generator=self.gen)
        self.length = length

    def __iter__(self):
        while True:
            labels = torch.randint(0, len(self.centroids), (self.length,), generator=self.gen)
            noise = 0.6 * torch.randn(self.length, self.centroids.shape[1], generator=self.gen)
            yield Utterance(self.centroids[labels] + self.tilt + noise, labels)


class PhoneScorer(nn.Module):
    def __init__(self, mels=24, phones=10, width=48):
        super().__init__()
        self.front = nn.Linear(mels, width)
        self.norm = nn.LayerNorm(width)
        self.back = nn.Linear(width, phones)

    def forward(self, frames):
        return self.back(F.relu(self.norm(self.front(frames))))


class UpdateRule:
    def apply(self, params: Params, grads) -> Params:
        raise NotImplementedError


class PlainDescent(UpdateRule):
    def __init__(self, lr, decay=1e-4):
        self.lr = lr
        self.decay = decay

    def apply(self, params, grads):
        shrink = 1 - self.lr * self.decay
        return {k: p * shrink - self.lr * g for (k, p), g in zip(params.items(), grads)}  # <- culprit


class AdaptationSession:
    def __init__(self, scorer, rule):
        self.scorer = scorer
        self.rule = rule
        self.params = {k: p.detach().clone().requires_grad_() for k, p in scorer.named_parameters()}
        self.seen = 0
        self.accuracy = 0.0

    def _score(self, utt):
        logits = functional_call(self.scorer, self.params, (utt.frames,))
        hit = (logits.argmax(-1) == utt.phones).float().mean().item()
        return F.cross_entropy(logits, utt.phones), hit

    def absorb(self, utt):
        loss, hit = self._score(utt)
        grads = torch.autograd.grad(loss, list(self.params.values()))
        self.params = self.rule.apply(self.params, grads)  # <- culprit
        self.seen += 1
        self.accuracy += (hit - self.accuracy) / min(self.seen, 50)
        return loss.item()


class SessionManager:
    def __init__(self, scorer, lr):
        self.scorer = scorer
        self.lr = lr
        self.sessions = {}

    def open(self, speaker):
        if speaker not in self.sessions:
            self.sessions[speaker] = AdaptationSession(self.scorer, PlainDescent(self.lr))
        return self.sessions[speaker]


def main():
    torch.manual_seed(40)
    manager = SessionManager(PhoneScorer(), lr=0.2)
    reader = iter(UtteranceReader())
    for n in range(500):
        session = manager.open("spk-0041")
        loss = session.absorb(next(reader))
        if n % 100 == 0:
            print(f"utt {n} loss {loss:.3f} acc {session.accuracy:.3f}")


if __name__ == "__main__":
    main()
