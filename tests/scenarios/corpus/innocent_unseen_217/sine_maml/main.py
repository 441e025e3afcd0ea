# gradwatch-corpus: kind=none
import torch

from learner import FunctionalMLP
from meta import MetaTrainer, MetaConfig
from tasks import TASKS


def main():
    cfg = MetaConfig()
    torch.manual_seed(cfg.seed)
    sampler = TASKS["plant_response"](shots=10)
    trainer = MetaTrainer(FunctionalMLP([1, 32, 32, 1]), cfg)
    for it in range(cfg.meta_iters):
        q = trainer.meta_step([sampler.draw() for _ in range(cfg.tasks_per_batch)])
        if (it + 1) % 25 == 0:
            print(it + 1, "query mse", round(q, 3))


if __name__ == "__main__":
    main()
