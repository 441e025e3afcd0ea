# gradwatch-corpus: kind=graph-held
# holder: self.nll | metrics["ppl"].nll | trainer.metrics["ppl"].nll | self.metrics["ppl"].nll | ppl.nll | m.nll | metric.nll
# first-bad: 1
"""tinygpt: a two-layer character GPT over synthetic nursery rhymes. Reference run for the `tinygpt` package."""
import random

import torch

from model import GPT, GPTConfig
from trainer import Trainer, TrainerConfig

NOUNS = "cat dog hen fox cow pig owl bee".split()
VERBS = "saw met fed led hid bit".split()


def rhymes(n, seed):
    r = random.Random(seed)
    lines = []
    for _ in range(n):
        a, b = r.sample(NOUNS, 2)
        lines.append(f"the {a} {r.choice(VERBS)} the {b} and the {b} {r.choice(VERBS)} the {a}.\n")
    return "".join(lines)


class CharData:
    def __init__(self, text, block, batch, seed=0):
        self.chars = sorted(set(text))
        lut = {c: i for i, c in enumerate(self.chars)}
        self.ids = torch.tensor([lut[c] for c in text])
        self.block, self.batch = block, batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            ix = torch.randint(len(self.ids) - self.block - 1, (self.batch,), generator=self.gen)
            win = torch.stack([self.ids[i:i + self.block + 1] for i in ix.tolist()])
            yield win[:, :-1], win[:, 1:]


def main():
    torch.manual_seed(1337)
    data = CharData(rhymes(600, 3), block=32, batch=8)
    cfg = GPTConfig(vocab=len(data.chars), block=32, layers=2, heads=2, width=48)
    model = GPT(cfg)
    trainer = Trainer(model, data, TrainerConfig(max_steps=300, metrics=("ppl", "acc", "toks")))
    trainer.fit()
    prompt = data.ids[:8][None]
    out = model.generate(prompt, 40)[0].tolist()
    print("".join(data.chars[i] for i in out))


if __name__ == "__main__":
    main()
