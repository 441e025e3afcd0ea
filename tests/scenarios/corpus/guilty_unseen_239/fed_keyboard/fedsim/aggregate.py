import torch

from fedsim.registry import aggregator


@aggregator("mean")
def mean_delta(deltas, sizes):
    return {k: torch.stack([d[k] for d in deltas]).mean(0) for k in deltas[0]}


@aggregator("weighted")
def weighted_delta(deltas, sizes):
    total = float(sum(sizes))
    out = {}
    for key in deltas[0]:
        out[key] = sum((n / total) * d[key] for n, d in zip(sizes, deltas))
    return out
