# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .agent import Dreamer
from .replay import EpisodeReplay
from .sim import Hover

torch.manual_seed(0)
sim, replay, dreamer = Hover(), EpisodeReplay(capacity=20), Dreamer()
for _ in range(4):
    replay.add(sim.rollout(lambda o: torch.rand(1) * 2 - 1))
for update in range(420):
    stats = dreamer.train_step(replay.sample(batch=4, length=6))
    if update % 20 == 0:
        episode = sim.rollout(dreamer.act)
        replay.add(episode)
        if update % 100 == 0:
            print(update, "return", round(episode["rew"].sum().item(), 2), {k: round(v, 3) for k, v in stats.items()})
