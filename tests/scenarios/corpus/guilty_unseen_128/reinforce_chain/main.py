# gradwatch-corpus: kind=graph-chain
# holder: self.value | baseline.value | learner.baseline.value | self.baseline.value
# first-bad: 1
# notice: 5
import torch
torch.set_num_threads(1)

from actor import Actor, Corridor
from baseline import RunningBaseline


class Learner:
    def __init__(self):
        self.actor = Actor(tiles=9)
        self.baseline = RunningBaseline(0.9)
        self.optim = torch.optim.Adam(self.actor.parameters(), lr=5e-3)

    def update(self, obs, acts, ret):
        dist = self.actor.policy(obs)
        surrogate = -(dist.log_prob(acts).mean() * ret) - 0.01 * dist.entropy().mean()
        centred = surrogate - self.baseline.value
        self.optim.zero_grad()
        centred.backward(retain_graph=True)  # <- culprit
        self.optim.step()
        self.baseline.update(surrogate)


def main():
    torch.manual_seed(10)
    learner, env = Learner(), Corridor(9)
    window = []
    for ep in range(260):
        obs, acts, ret = learner.actor.play(env)
        learner.update(obs, acts, ret)
        window = (window + [ret])[-50:]
        if ep % 50 == 49:
            print(ep, sum(window) / len(window))


main()
