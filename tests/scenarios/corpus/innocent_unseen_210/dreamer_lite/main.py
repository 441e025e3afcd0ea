# gradwatch-corpus: kind=none
import torch

from env import rollout_stream
from learn import WorldModelTrainer
from rssm import RSSM

if __name__ == "__main__":
    torch.manual_seed(77)
    trainer = WorldModelTrainer(RSSM(obs=8, act=2))
    for i, chunk in enumerate(rollout_stream(100, bs=8, T=8)):
        out = trainer.train_chunk(chunk)
        if i % 20 == 0:
            print(i, {k: round(v, 4) for k, v in out.items()})
    print("dream return", trainer.best_dream)
