# gradwatch-corpus: kind=second-backward
# holder: self._entries | cache._entries | self.cache._entries | engine.cache._entries | self._entries[key] | self.cache._entries[key]
# first-bad: 12
"""Feature distillation for image patches; teacher targets are cached per shard."""
import torch

from distill.cache import FeatureCache
from distill.engine import DistillEngine
from distill.engine import EngineConfig
from distill.shards import ShardedPatches


def main():
    torch.manual_seed(4)
    cfg = EngineConfig()
    shards = ShardedPatches(cfg.shards, cfg.per_shard, cfg.pixels)
    engine = DistillEngine(cfg, FeatureCache(capacity=cfg.shards))
    for epoch in range(cfg.epochs):
        mean = engine.run_epoch(shards)
        print(f"epoch {epoch} loss {mean:.4f} hits {engine.cache.hits}")


if __name__ == "__main__":
    main()
