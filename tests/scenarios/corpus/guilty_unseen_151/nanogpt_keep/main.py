# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | keeper.snapshots
import math

import torch

from callbacks import SnapshotKeeper, Throughput
from model import GPT, GPTConfig

batch_size, max_iters, eval_interval, eval_iters = 8, 100, 25, 4
learning_rate, min_lr, warmup_iters = 1e-3, 1e-4, 10


def get_batch(data, block_size):
    ix = torch.randint(len(data) - block_size - 1, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + block_size] for i in ix])
    return x, y


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / warmup_iters
    ratio = (it - warmup_iters) / (max_iters - warmup_iters)
    return min_lr + 0.5 * (1 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


@torch.no_grad()
def estimate_loss(model, splits, block_size):
    model.eval()
    out = {}
    for name, data in splits.items():
        out[name] = sum(model(*get_batch(data, block_size))[1].item() for _ in range(eval_iters)) / eval_iters
    model.train()
    return out


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1337)
    text = "it was the best of times, it was the worst of times, it was the age of wisdom. " * 60
    stoi = {c: i for i, c in enumerate(sorted(set(text)))}
    data = torch.tensor([stoi[c] for c in text])
    splits = {"train": data[:-800], "val": data[-800:]}
    config = GPTConfig(vocab_size=len(stoi))
    model = GPT(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.1)
    callbacks = [SnapshotKeeper(model), Throughput(batch_size * config.block_size)]
    for it in range(max_iters):
        for group in optimizer.param_groups:
            group["lr"] = get_lr(it)
        if it % eval_interval == 0:
            losses = estimate_loss(model, splits, config.block_size)
            print(f"step {it}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        _, loss = model(*get_batch(splits["train"], config.block_size))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        for cb in callbacks:
            cb.on_iter_end(it, loss.item())
    callbacks[0].restore_best()
    print("best", estimate_loss(model, splits, config.block_size))


if __name__ == "__main__":
    main()
