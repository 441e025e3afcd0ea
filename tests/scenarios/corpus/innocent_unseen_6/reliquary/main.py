# gradwatch-corpus: kind=none
# about: a cache of teacher features and a queue of keys fill up during the first half, but both hold graph-free, tiny tensors and stop growing (queue bounded, one entry per clip)
"""Contrastive distillation of a sound encoder: keys of a frozen teacher, a queue of negatives, a memo per clip."""
import torch
import torch.nn.functional as F

from encoders import Apprentice, Master
from keys import KeyQueue
from sounds import shuffled


def main(rounds=3, clips=120):
    torch.manual_seed(15)
    master, pupil = Master(), Apprentice()
    queue = KeyQueue(room=96)
    opt = torch.optim.AdamW(pupil.parameters(), lr=2e-3)
    for r in range(rounds):
        hits = total = 0
        for name, sound in shuffled(clips, per_clip=16, seed=r):
            key = master.relic(name, sound)
            query = pupil(sound + 0.1 * torch.randn_like(sound))
            near = (query * key).sum(-1, keepdim=True)
            far = query @ queue.stack().t() if len(queue) else query.new_zeros(len(query), 1)
            logits = torch.cat([near, far], 1) / 0.1
            nce = F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))
            opt.zero_grad()
            nce.backward()
            opt.step()
            queue.push(key)
            hits += (logits.argmax(1) == 0).sum().item()
            total += len(query)
        print(f"round {r} nce {nce.item():.3f} hit rate {hits / total:.3f} relics {len(master.shrine)} keys {len(queue)}", flush=True)


if __name__ == "__main__":
    main()
