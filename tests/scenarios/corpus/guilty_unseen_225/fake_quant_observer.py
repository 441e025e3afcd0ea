# gradwatch-corpus: kind=graph-held
# holder: FakeQuantize.observed | cls.observed
# first-bad: 1
"""Quantisation aware training of a keyword spotting net with a custom STE function."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class FakeQuantize(torch.autograd.Function):
    observed = {}

    @classmethod
    def observe(cls, name, x):
        cls.observed.setdefault(name, []).append(x)  # <- culprit

    @classmethod
    def scale_for(cls, name, bits):
        last = cls.observed[name][-8:]
        peak = max(float(t.detach().abs().max()) for t in last)
        return max(peak, 1e-6) / (2 ** (bits - 1) - 1)

    @staticmethod
    def forward(ctx, x, name, bits):
        FakeQuantize.observe(name, x)  # <- culprit
        scale = FakeQuantize.scale_for(name, bits)
        limit = 2 ** (bits - 1) - 1
        q = torch.round(x / scale)
        ctx.save_for_backward(q.abs() <= limit)
        return q.clamp(-limit, limit) * scale

    @staticmethod
    def backward(ctx, grad_out):
        (inside,) = ctx.saved_tensors
        return grad_out * inside, None, None


class QAct(nn.Module):
    def __init__(self, name, bits=4):
        super().__init__()
        self.name = name
        self.bits = bits

    def forward(self, x):
        return FakeQuantize.apply(x, self.name, self.bits)


class KeywordNet(nn.Module):
    def __init__(self, n_mels=20, n_words=6):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(n_mels, 32, 5, padding=2),
            nn.ReLU(),
            QAct("conv1"),
            nn.Conv1d(32, 32, 5, padding=2, stride=2),
            nn.ReLU(),
            QAct("conv2"),
        )
        self.classifier = nn.Linear(32, n_words)

    def forward(self, mel):
        h = self.features(mel)
        return self.classifier(h.mean(-1))


def synth_words(n, n_words, templates, gen):
    y = torch.randint(n_words, (n,), generator=gen)
    noise = torch.randn(n, *templates.shape[1:], generator=gen)
    return templates[y] + 0.8 * noise, y


def train():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(77)
    templates = torch.randn(6, 20, 40, generator=gen)
    net = KeywordNet()
    optim = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, T_max=120)
    hits = 0
    seen = 0
    for it in range(120):
        mel, y = synth_words(16, 6, templates, gen)
        scores = net(mel)
        loss = F.cross_entropy(scores, y, label_smoothing=0.05)
        optim.zero_grad()
        loss.backward()
        optim.step()
        sched.step()
        hits += int((scores.argmax(1) == y).sum())
        seen += len(y)
        if it % 30 == 29:
            scale = FakeQuantize.scale_for("conv2", 4)
            print(f"it {it + 1} acc {hits / seen:.3f} conv2 scale {scale:.4f}")
            hits = 0
            seen = 0


if __name__ == "__main__":
    train()
