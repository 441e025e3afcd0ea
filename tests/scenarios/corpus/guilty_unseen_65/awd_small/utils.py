import torch


def repackage_hidden(h):
    """Wraps hidden states in new tensors, so that truncation happens at the window's edge."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    if isinstance(h, tuple):
        return tuple(repackage_hidden(v) for v in h)
    return h  # <- culprit


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[: n * bsz].view(bsz, n).t().contiguous()


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def markov_tokens(n, vocab, seed):
    g = torch.Generator().manual_seed(17)
    table = (2.5 * torch.randn(vocab, vocab, generator=g)).softmax(1)
    g.manual_seed(seed)
    toks = [0]
    for _ in range(n - 1):
        toks.append(torch.multinomial(table[toks[-1]], 1, generator=g).item())
    return torch.tensor(toks)
