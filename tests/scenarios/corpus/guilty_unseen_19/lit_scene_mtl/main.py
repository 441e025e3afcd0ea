# gradwatch-corpus: kind=second-backward
# holder: self.prev | self.before_prev | balancer.prev | self.balancer.prev | module.balancer.prev | losses | ratio
# first-bad: 2
"""Indoor scenes: depth, normals and segmentation on pooled descriptors. Our slim
imitation of Lightning is enough for this ablation over balancing strategies."""
import torch

from balancing import make_balancer
from lite import LiteTrainer
from scene_module import SceneModule, SceneStream

ABLATION = {"strategy": "dwa", "temperature": 2.0}


def run():
    torch.manual_seed(5)
    stream = SceneStream(dim=48, batch=32, seed=14)
    options = dict(ABLATION)
    balancer = make_balancer(options.pop("strategy"), n_tasks=3, **options)
    module = SceneModule(dim=48, balancer=balancer)
    trainer = LiteTrainer(max_steps=300, log_every=50, clip=5.0)
    trainer.fit(module, stream)


if __name__ == "__main__":
    run()
