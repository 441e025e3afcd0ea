import torch


def make_corpus(n, ntokens):
    out, w = [], 1
    noise = torch.randint(0, 3, (n,)).tolist()
    for k in range(n):
        w = (3 * w + 1 + noise[k]) % ntokens
        out.append(w)
    return torch.tensor(out)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data[:nbatch * bsz].view(bsz, -1).t().contiguous()


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)
