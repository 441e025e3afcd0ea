# gradwatch-corpus: kind=none
# about: autocast and GradScaler with accumulation by two, unscaling and clipping; some steps are
# about: skipped by the scaler because of infinities
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Attention(nn.Module):
    def __init__(self, dim=16, tokens=4):
        super().__init__()
        self.tokens = tokens
        self.qkv = nn.Linear(dim, 3 * dim * tokens)
        self.out = nn.Linear(dim, 4)

    def forward(self, x):
        q, k, v = self.qkv(x).view(len(x), self.tokens, 3, -1).unbind(2)
        h = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out(h.mean(1))


def main():
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=16), Attention()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16, growth_interval=40)
    skipped = 0
    for step in range(ITERATIONS // 2):
        optimizer.zero_grad(set_to_none=True)
        for _ in range(2):
            x, y = next(stream)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(model(x), y) / 2
            if step % 30 == 29:
                loss = loss * float("inf")
            scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        skipped += scaler.get_scale() < before
        if step % 25 == 0:
            print(f"{step}: {loss.item():.6f}, scale {scaler.get_scale()}, skipped {skipped}")


if __name__ == "__main__":
    main()
