# gradwatch-corpus: kind=none
# about: Transformer-XL style: each segment attends over memories of the three before it; the
# about: memories are concatenated and cut like saved states that leak, but under no_grad
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Block(nn.Module):
    def __init__(self, dim=24, heads=2):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, h, mem):
        context = h if mem is None else torch.cat([mem, h])
        h = self.norm1(h + self.attn(h, context, context, need_weights=False)[0])
        return self.norm2(h + self.ff(h))


class SegmentModel(nn.Module):
    def __init__(self, vocab=30, dim=24, layers=2, mem_len=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(layers))
        self.head = nn.Linear(dim, vocab)
        self.mem_len = mem_len

    @torch.no_grad()
    def update_mems(self, hiddens, mems):
        if mems is None:
            return [h[-self.mem_len :].detach() for h in hiddens]
        return [torch.cat([m, h])[-self.mem_len :].detach() for m, h in zip(mems, hiddens)]

    def forward(self, tokens, mems):
        h, hiddens = self.embed(tokens), []
        for i, block in enumerate(self.blocks):
            hiddens.append(h)
            h = block(h, None if mems is None else mems[i])
        return self.head(h), self.update_mems(hiddens, mems)


def main():
    torch.manual_seed(0)
    text = (torch.randint(1, 3, (4000, 4)).cumsum(0)) % 30
    model = SegmentModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    mems, at = None, 0
    for step in range(ITERATIONS):
        if at + 9 > len(text):
            mems, at = None, 0
        x, y = text[at : at + 8], text[at + 1 : at + 9]
        at += 8
        logits, mems = model(x, mems)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}, memory {len(mems[0])}")


if __name__ == "__main__":
    main()
