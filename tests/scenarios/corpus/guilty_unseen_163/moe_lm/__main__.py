# gradwatch-corpus: kind=graph-held
# holder: self.load | b.load | model.blocks[0].load | model.blocks[1].load
# first-bad: 1
import torch
import torch.nn.functional as F

from .model import TinyMoELM

torch.set_num_threads(1)


def corpus(vocab, n, g):
    tok = torch.zeros(n, dtype=torch.long)
    jump = torch.randperm(vocab, generator=g)
    noise = torch.rand(n, generator=g)
    rnd = torch.randint(0, vocab, (n,), generator=g)
    for i in range(1, n):
        tok[i] = jump[tok[i - 1]] if noise[i] < 0.8 else rnd[i]
    return tok


def main():
    torch.manual_seed(17)
    g = torch.Generator().manual_seed(2)
    vocab, T, B = 20, 16, 8
    text = corpus(vocab, 4000, g)
    model = TinyMoELM(vocab)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)

    for step in range(90):
        start = torch.randint(0, len(text) - T - 1, (B,), generator=g)
        chunk = torch.stack([text[s:s + T + 1] for s in start])
        logits = model(chunk[:, :-1])
        ce = F.cross_entropy(logits.flatten(0, 1), chunk[:, 1:].flatten())
        loss = ce + 0.01 * model.aux_loss()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 15 == 0:
            print(f"step {step} ce {ce.item():.3f}")
    for i, b in enumerate(model.blocks):
        print("layer", i, "usage", [round(u, 3) for u in b.usage()])


if __name__ == "__main__":
    main()
