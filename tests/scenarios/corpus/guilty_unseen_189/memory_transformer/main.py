# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn.functional as F

from rmt import RecurrentMemoryTransformer

SEG, BATCH, VOCAB = 8, 8, 12


def copy_stream(n_segments, seed):
    """Each segment repeats the one before it with a fixed shift."""
    g = torch.Generator().manual_seed(seed)
    seg = torch.randint(VOCAB, (BATCH, SEG), generator=g)
    for _ in range(n_segments):
        yield seg
        flip = torch.rand(seg.shape, generator=g) < 0.1
        noise = torch.randint(VOCAB, seg.shape, generator=g)
        seg = torch.where(flip, noise, (seg + 1) % VOCAB)


def main():
    torch.manual_seed(77)
    model = RecurrentMemoryTransformer(VOCAB, dim=24, depth=2, heads=2, num_memory_tokens=3,
                                       seq_len=SEG)
    optim = torch.optim.AdamW(model.parameters(), lr=2e-3)
    memories = None
    for i, segment in enumerate(copy_stream(400, seed=13)):
        logits, memories = model(segment, memories)  # <- culprit
        loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), segment[:, 1:])
        optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optim.step()
        if i % 50 == 0:
            print(f"segment {i} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
