# gradwatch-corpus: kind=graph-held
# holder: curve | record.__closure__
# first-bad: 1
import torch

from gpt import GPT, GPTConfig
from trainer import Trainer


class SortDataset(torch.utils.data.Dataset):
    """Given a sequence of digits, predict them sorted."""

    def __init__(self, length=5, digits=4, size=4000):
        self.length, self.digits = length, digits
        g = torch.Generator().manual_seed(1337)
        self.x = torch.randint(digits, (size, length), generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        inp = self.x[i]
        cat = torch.cat([inp, inp.sort().values])
        x, y = cat[:-1].clone(), cat[1:].clone()
        y[: self.length - 1] = -1
        return x, y


def make_recorder(every):
    curve = []

    def record(trainer):
        curve.append((trainer.iter_num, trainer.loss))  # <- culprit
        if trainer.iter_num % every == 0:
            recent = [v.item() for _, v in curve[-every:]]
            print(f"iter {trainer.iter_num} loss {sum(recent) / len(recent):.4f} "
                  f"dt {trainer.iter_dt * 1000:.1f}ms")

    return record


def main():
    torch.manual_seed(3407)
    data = SortDataset()
    cfg = GPTConfig(vocab_size=data.digits, block_size=2 * data.length - 1,
                    n_layer=2, n_head=2, n_embd=24)
    trainer = Trainer(GPT(cfg), data, lr=3e-3, batch_size=16, max_iters=430)
    trainer.add_callback("on_batch_end", make_recorder(100))
    trainer.run()


if __name__ == "__main__":
    main()
