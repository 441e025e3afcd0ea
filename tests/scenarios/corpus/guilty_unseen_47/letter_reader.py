# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Small attention encoder that tells which letter occurs most often in a string."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ALPHABET = 12
LENGTH = 18
HEADS = 4
EPOCHS = 6


def strings(n, gen):
    favourite = torch.randint(0, ALPHABET, (n,), generator=gen)
    text = torch.randint(0, ALPHABET, (n, LENGTH), generator=gen)
    swap = torch.rand(n, LENGTH, generator=gen) < 0.35
    text = torch.where(swap, favourite.unsqueeze(1), text)
    length = torch.randint(LENGTH // 2, LENGTH + 1, (n,), generator=gen)
    return text, length, favourite


class HeadDropAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.head_drop = 0.0

    def forward(self, x, pad):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (d // self.heads) ** -0.5
        scores.masked_fill_(pad[:, None, None, :], -1e4)
        attn = scores.softmax(-1)
        if self.training and self.head_drop > 0:
            gone = torch.rand(b, self.heads, 1, 1) < self.head_drop
            attn.masked_fill_(gone, 0.0)  # <- culprit
        mixed = (attn @ v).transpose(1, 2).reshape(b, t, d)
        return self.out(mixed)


class Reader(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.letters = nn.Embedding(ALPHABET, dim)
        self.place = nn.Parameter(torch.randn(LENGTH, dim) * 0.02)
        self.norm = nn.LayerNorm(dim)
        self.attn = HeadDropAttention(dim, HEADS)
        self.head = nn.Linear(dim, ALPHABET)

    def forward(self, text, length):
        pad = torch.arange(LENGTH) >= length.unsqueeze(1)
        x = self.letters(text) + self.place
        x = x + self.attn(self.norm(x), pad)
        keep = (~pad).unsqueeze(-1).float()
        return self.head((x * keep).sum(1) / keep.sum(1))


def set_head_drop(model, epoch):
    model.attn.head_drop = 0.0 if epoch < 2 else 0.05 * epoch


def run():
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    loader = DataLoader(TensorDataset(*strings(1280, gen)), batch_size=64, shuffle=True)
    model = Reader()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(EPOCHS):
        set_head_drop(model, epoch)
        model.train()
        hits = 0
        for text, length, label in loader:
            logits = model(text, length)
            loss = nn.functional.cross_entropy(logits, label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits += (logits.argmax(1) == label).sum().item()
        print(f"epoch {epoch} accuracy {hits / len(loader.dataset):.3f} head drop {model.attn.head_drop:.2f}")


if __name__ == "__main__":
    run()
