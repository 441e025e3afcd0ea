# gradwatch-corpus: kind=graph-held
# holder: self._states[sid] | self._states | sessions._states | sessions._states[sid] | model.sessions._states | self.sessions._states | learner.sessions._states
# first-bad: 1
"""Online intent tagging of support chats: messages arrive in pieces, every piece
is labelled by the agents a little later, and the tagger learns on the fly."""
import itertools

import torch

from sessions import SessionStore
from tagger import OnlineTagger, PieceTagger

STEPS = 260
VOCAB, TAGS, PIECE, WIDTH = 120, 5, 8, 12


def chat_traffic(seed):
    """Each step yields WIDTH pieces; a session has three pieces, then it is over."""
    gen = torch.Generator().manual_seed(seed)
    table = torch.randint(0, TAGS, (VOCAB,), generator=gen)
    ids = itertools.count()
    live = [[next(ids), i % 3] for i in range(WIDTH)]
    while True:
        tokens = torch.randint(0, VOCAB, (WIDTH, PIECE), generator=gen)
        yield [sid for sid, _ in live], tokens, table[tokens]
        for slot in live:
            slot[1] += 1
            if slot[1] == 3:
                slot[0], slot[1] = next(ids), 0


def main():
    torch.manual_seed(8)
    model = PieceTagger(VOCAB, TAGS)
    learner = OnlineTagger(model, SessionStore(model.hidden), lr=4e-3)
    hits = seen = 0
    for step, (sids, tokens, tags) in enumerate(chat_traffic(3)):
        if step == STEPS:
            break
        guess = learner.serve_and_learn(sids, tokens, tags)
        hits += (guess == tags).sum().item()
        seen += tags.numel()
        if step % 65 == 64:
            print(f"step {step + 1}: running accuracy {hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    main()
