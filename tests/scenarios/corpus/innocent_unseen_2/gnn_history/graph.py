import torch


def ring_of_cliques(k, n):
    y = torch.arange(k).repeat_interleave(n)
    a = (y[:, None] == y[None]).float()
    for i in range(k):
        j = ((i + 1) % k) * n
        a[i * n, j] = a[j, i * n] = 1
    return a / a.sum(1, keepdim=True), y
