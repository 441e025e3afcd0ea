# gradwatch-corpus: kind=none
"""WGAN-GP that learns the joint distribution of galaxy colours."""
import torch

from catalogue import colours
from nets import Critic, Generator
from training import WganTrainer

torch.manual_seed(1054)
torch.set_num_threads(1)

trainer = WganTrainer(Generator(latent=6, out=4), Critic(4), n_critic=2, gp_weight=10.0)
for i in range(300):
    trainer.iteration(lambda: colours(32))
    if (i + 1) % 60 == 0:
        print(i + 1, trainer.status())

fake = trainer.sample(1000)
real = colours(1000)
print("mean real", [round(v, 2) for v in real.mean(0).tolist()])
print("mean fake", [round(v, 2) for v in fake.mean(0).tolist()])
