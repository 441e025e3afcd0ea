import torch

WORDS = ["the", "rotor", "valve", "pump", "reads", "low", "high", "pressure", "was", "reset", "by", "crew", "at", "noon"]


def make_text(rng, n_chars):
    out = []
    size = 0
    while size < n_chars:
        w = rng.choice(WORDS) + (". " if rng.random() < 0.1 else " ")
        out.append(w)
        size += len(w)
    text = "".join(out)[:n_chars]
    vocab = {c: i for i, c in enumerate("abcdefghijklmnopqrstuvwxyz .")}
    return text, vocab


class StreamBatcher:
    """Contiguous streams: row b of batch k+1 follows row b of batch k."""

    def __init__(self, text, vocab, batch, bptt):
        ids = torch.tensor([vocab[c] for c in text])
        n = (len(ids) - 1) // batch
        self.x = ids[: n * batch].view(batch, n)
        self.y = ids[1: n * batch + 1].view(batch, n)
        self.bptt = bptt

    def __len__(self):
        return self.x.size(1) // self.bptt

    def __iter__(self):
        for k in range(len(self)):
            s = slice(k * self.bptt, (k + 1) * self.bptt)
            yield self.x[:, s], self.y[:, s]
