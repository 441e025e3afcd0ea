"""The schedule space (log2 tile sizes, unroll, vector width) and a fake measurement."""
import torch

SPACE = ("tile_m", "tile_n", "tile_k", "unroll", "vec", "prefetch")
_HIGH = torch.tensor([7.0, 7.0, 6.0, 4.0, 3.0, 2.0])


def sample_schedules(n, gen):
    return (torch.rand(n, len(SPACE), generator=gen) * (_HIGH + 1)).floor() / _HIGH


def measure(feats, gen):
    s = feats * _HIGH
    cache = (s[:, 0] + s[:, 2] - 8.0).relu() + (s[:, 1] + s[:, 2] - 9.0).relu()
    reuse = 6.0 / (1.0 + s[:, 0] + s[:, 1])
    vec = 1.5 / (1.0 + s[:, 4])
    noise = 1 + 0.03 * torch.randn(len(s), generator=gen)
    return (1.0 + 0.4 * cache + reuse + vec + 0.1 * (s[:, 3] - 2).abs()) * noise.clamp(min=0.8)
