import torch


class ShardedPatches:
    def __init__(self, shards, per_shard, pixels):
        gen = torch.Generator().manual_seed(90)
        basis = torch.randn(5, pixels, generator=gen)
        self._data = []
        for _ in range(shards):
            codes = torch.randn(per_shard, 5, generator=gen)
            self._data.append(torch.tanh(codes @ basis))

    def __len__(self):
        return len(self._data)

    def __iter__(self):
        for key, patches in enumerate(self._data):
            yield f"shard-{key:02d}", patches
