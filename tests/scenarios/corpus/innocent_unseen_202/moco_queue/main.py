# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from moco import MoCo


def series_batch(n, length, g):
    """Sums of two sinusoids; the pair of frequencies is the identity of a series."""
    f = torch.randint(1, 6, (n, 2), generator=g).float()
    t = torch.linspace(0, 1, length)
    phase = 6.28 * torch.rand(n, 2, 1, generator=g)
    return torch.sin(6.28 * f[:, :, None] * t + phase).sum(1)


def view(x):
    scale = 0.7 + 0.6 * torch.rand(len(x), 1)
    shift = int(torch.randint(0, x.size(1), (1,)))
    return scale * torch.roll(x, shift, 1) + 0.1 * torch.randn_like(x)


class ConvEncoder(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.c1 = nn.Conv1d(1, 12, 7, stride=2, padding=3)
        self.c2 = nn.Conv1d(12, 24, 5, stride=2, padding=2)
        self.fc = nn.Linear(24, d)

    def forward(self, x):
        h = F.relu(self.c1(x.unsqueeze(1)))
        return self.fc(F.relu(self.c2(h)).amax(2))


def main():
    torch.manual_seed(48)
    g = torch.Generator().manual_seed(48)
    model = MoCo(ConvEncoder())
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    best, best_state = float("inf"), None
    for step in range(450):
        x = series_batch(24, 48, g)
        loss = model(view(x), view(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step > 50 and loss.item() < best:
            best = loss.item()
            best_state = {k: v.clone() for k, v in model.q.state_dict().items()}
        if step % 75 == 0:
            sim = torch.stack(model.similarity[-25:]).mean().item()
            print(f"step {step} loss {loss.item():.3f} positive sim {sim:.3f} queue {len(model.queue.batches)}")
    model.q.load_state_dict(best_state)


if __name__ == "__main__":
    main()
