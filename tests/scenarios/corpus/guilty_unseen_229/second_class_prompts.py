# gradwatch-corpus: kind=second-backward
# holder: class_vecs
# first-bad: 1
"""Zero-shot-ish sound event tagging: align audio clips with learned label prompts."""
import torch
from torch import nn
import torch.nn.functional as F

LABELS = ["dog bark", "siren", "rain", "door slam", "laugh", "engine idle"]


def char_ids(text, length=12):
    ids = [ord(c) - 96 if c != " " else 27 for c in text[:length]]
    ids += [0] * (length - len(ids))
    return torch.tensor(ids)


class PromptEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.chars = nn.Embedding(28, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, ids):
        _, h = self.rnn(self.chars(ids))
        return F.normalize(h[0], dim=1)


class ClipEncoder(nn.Module):
    def __init__(self, dim, bands=20):
        super().__init__()
        self.conv = nn.Conv1d(bands, 32, 5, stride=2)
        self.out = nn.Linear(32, dim)

    def forward(self, spec):
        h = F.gelu(self.conv(spec)).amax(dim=2)
        return F.normalize(self.out(h), dim=1)


def synth(n, gen, bands=20, frames=40):
    y = torch.randint(0, len(LABELS), (n,), generator=gen)
    spec = 0.5 * torch.randn(n, bands, frames, generator=gen)
    for i, c in enumerate(y.tolist()):
        spec[i, 3 * c:3 * c + 3] += 1.0
    return spec, y


def run_epoch(clips, prompts, ids, opt, gen, batches):
    correct = 0
    seen = 0
    class_vecs = prompts(ids)  # <- culprit
    for _ in range(batches):
        spec, y = synth(16, gen)
        sims = 10.0 * clips(spec) @ class_vecs.t()  # <- culprit
        loss = F.cross_entropy(sims, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct += (sims.argmax(dim=1) == y).sum().item()
        seen += len(y)
    return correct / seen


def main():
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(4)
    ids = torch.stack([char_ids(label) for label in LABELS])
    prompts = PromptEncoder(24)
    clips = ClipEncoder(24)
    opt = torch.optim.AdamW(list(prompts.parameters()) + list(clips.parameters()), lr=2e-3)
    for epoch in range(4):
        acc = run_epoch(clips, prompts, ids, opt, gen, batches=25)
        print(f"epoch {epoch} acc {acc:.3f}")


if __name__ == "__main__":
    main()
