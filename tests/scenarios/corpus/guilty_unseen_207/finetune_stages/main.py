# gradwatch-corpus: kind=crashed
# first-bad: 160
import torch
import torch.nn.functional as F

from model import build_tagger
from stages import StageSchedule

STAGES = [
    (0, ["head"]),
    (80, ["encoder", "head"]),
    (160, ["norm"]),  # <- culprit
]


def batches(n, batch=16, seed=41):
    gen = torch.Generator().manual_seed(seed)
    rule = torch.randn(10, 4, generator=gen)
    for _ in range(n):
        x = torch.randn(batch, 10, generator=gen)
        yield x, (x @ rule).argmax(dim=-1)


def main():
    torch.manual_seed(41)
    model = build_tagger(10, 4)
    schedule = StageSchedule(model, STAGES)
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step, (x, y) in enumerate(batches(500)):
        schedule.on_step_begin(step)
        loss = F.cross_entropy(model(x), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 40 == 0:
            print(step, f"{loss.item():.4f}", "trainable", schedule.trainable)


if __name__ == "__main__":
    main()
