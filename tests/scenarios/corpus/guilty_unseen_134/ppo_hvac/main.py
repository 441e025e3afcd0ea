# gradwatch-corpus: kind=second-backward
# holder: self.values | storage.values | storage.returns | storage.advantages | self.returns | self.advantages
# first-bad: 1
# notice: 0
"""PPO with continuous set-points for an office's heating."""
import torch

torch.set_num_threads(1)

import yaml_free_config as conf
from building import Building
from policy import SetpointPolicy
from ppo import PPO


def main():
    torch.manual_seed(conf.SEED)
    algo = PPO(SetpointPolicy(conf.OBS, conf.ROOMS), Building(conf.ENVS, conf.ROOMS), conf)
    for update in range(conf.UPDATES):
        stats = algo.update()
        if update % 10 == 0:
            print(update, stats)


if __name__ == "__main__":
    main()
