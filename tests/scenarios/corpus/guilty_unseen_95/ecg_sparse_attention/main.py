# gradwatch-corpus: kind=inplace-modified
# holder: attn
# first-bad: 60
# notice: 0
"""ECG beat classification with a small patch transformer; attention is pruned after warm-up."""
import torch
from torch import nn

from beats import BeatSource
from transformer import PatchEncoder

WARMUP = 60
STEPS = 240


class Schedule:
    """Pruning level as a function of the step."""

    def __init__(self, start, final=0.08, over=80):
        self.start, self.final, self.over = start, final, over

    def __call__(self, step):
        if step < self.start:
            return 0.0
        return self.final * min(1.0, (step - self.start + 1) / self.over)


def evaluate(model, src):
    model.eval()
    with torch.no_grad():
        x, y = src.batch(128)
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    src = BeatSource()
    model = PatchEncoder(n_classes=src.n_classes)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    level = Schedule(WARMUP)
    for step in range(STEPS):
        model.set_pruning(level(step))
        x, y = src.batch(16)
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:3d} loss {loss.item():.4f} acc {evaluate(model, src):.3f}")


if __name__ == "__main__":
    main()
