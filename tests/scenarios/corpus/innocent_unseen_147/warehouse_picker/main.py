# gradwatch-corpus: kind=none
import torch

from env import Aisle
from reinforce import Reinforce

torch.set_num_threads(1)
torch.manual_seed(6)

agent = Reinforce(Aisle(length=7, horizon=12))

if __name__ == "__main__":
    returns = [agent.learn() for _ in range(450)]
    print(sum(returns[:50]) / 50, sum(returns[-50:]) / 50)
